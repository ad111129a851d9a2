import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import type { Env } from '../../config.ts';
import { replacePrivateFile } from '../../config/private-writing.ts';
import { type Child, startChild } from '../processes/child.ts';
import { NAMESPACE, prepareNamespace, servesNamespace } from './namespace.ts';
import { untilReady } from '../processes/ready.ts';
import { nativeArguments, readTemporalCommand, type TemporalPorts } from './command.ts';

export type TemporalOptions = Readonly<{
  /** Path of Temporal's command line tool; `findTemporalCli`. */
  cli: string;
  ports: TemporalPorts;
  dbFile: string;
  log: string;
  env: Env;
  /** The namespace of the programs beside it. Default: `default`. */
  namespace?: string | undefined;
  /** Where the web UI has payloads decrypted. A secret: it holds a token. */
  uiCodecEndpoint?: string;
}>;

/** Starts Temporal's dev server by `temporal-dev.yml`, and waits until workflows can be started on it. */
export async function startTemporal(options: TemporalOptions): Promise<Child> {
  const { cli, ports, dbFile, log, env, namespace = NAMESPACE } = options;
  const command = readTemporalCommand();
  mkdirSync(dirname(dbFile), { recursive: true });
  const child = await startChild({
    name: 'temporal',
    command: [cli, ...secretArguments(options), ...nativeArguments(command, { ports, dbFile })],
    env,
    cwd: dirname(dbFile),
    log,
  });
  const address = `127.0.0.1:${ports.grpc}`;
  try {
    await untilReady(child, () => servesNamespace(address));
    const { searchAttributes } = command;
    await prepareNamespace(address, { namespace, searchAttributes });
  } catch (error) {
    await child.stop();
    throw error;
  }
  return child;
}

/** How Temporal's command line tool names a set of flags in a file. */
const FLAG_SET = 'bursar';

/** All users of the machine can read the arguments of a process, so a secret argument comes from a file. */
function secretArguments({ dbFile, uiCodecEndpoint }: TemporalOptions): readonly string[] {
  if (uiCodecEndpoint === undefined) return [];
  const file = join(dirname(dbFile), 'temporal-ui.yaml');
  const flags = { 'ui-codec-endpoint': uiCodecEndpoint };
  replacePrivateFile(file, stringify({ env: { [FLAG_SET]: flags } }));
  return ['--env-file', file, '--env', FLAG_SET];
}
