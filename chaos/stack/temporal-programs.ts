import { join } from 'node:path';
import { findGoProgram } from './go-program.ts';
import type { TemporalGround } from './temporal-servers.ts';

const VERSION = 'v1.32.1';
const MODULE = 'go.temporal.io/server';

export type TemporalPrograms = Readonly<{
  /** The server. */
  server: string;
  /** The tool that makes its tables. */
  sqlTool: string;
}>;

/** Finds the programs of Temporal's server. */
export async function findTemporalPrograms(ground: TemporalGround): Promise<TemporalPrograms> {
  const find = (path: string): Promise<string> =>
    findGoProgram(
      {
        name: `${path} of Temporal's server`,
        module: `${MODULE}/${path}`,
        version: VERSION,
        path: join(`temporal-server-${VERSION}`, path),
      },
      ground,
    );
  return { server: await find('cmd/server'), sqlTool: await find('cmd/tools/sql') };
}
