import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { buildWithGo } from '../../src/local-stack/temporal-cli/build.ts';
import type { TemporalGround } from './temporal-servers.ts';

const VERSION = 'v1.32.1';
const MODULE = 'go.temporal.io/server';

export type TemporalPrograms = Readonly<{
  /** The server. */
  server: string;
  /** The tool that makes its tables. */
  sqlTool: string;
}>;

/** Finds the programs of Temporal's server in the user's cache. Go builds those that are missing. */
export async function findTemporalPrograms(ground: TemporalGround): Promise<TemporalPrograms> {
  return {
    server: await findProgram('cmd/server', ground),
    sqlTool: await findProgram('cmd/tools/sql', ground),
  };
}

async function findProgram(path: string, { env, say }: TemporalGround): Promise<string> {
  const target = join(homedir(), '.cache/bursar', `temporal-server-${VERSION}`, path);
  if (existsSync(target)) return target;
  const build = buildWithGo({ name: `${path} of Temporal's server`, module: `${MODULE}/${path}` });
  await build(target, { env, version: VERSION, say });
  return target;
}
