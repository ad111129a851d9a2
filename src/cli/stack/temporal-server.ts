import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Env } from '../../config.ts';
import { type Child, startChild } from './child.ts';
import { prepareNamespace, servesNamespace } from './namespace.ts';
import { untilReady } from './ready.ts';
import { nativeArguments, readTemporalCommand, type TemporalPorts } from './temporal-command.ts';

export type TemporalOptions = Readonly<{
  /** Path of Temporal's command line tool; `findTemporalCli`. */
  cli: string;
  ports: TemporalPorts;
  dbFile: string;
  log: string;
  env: Env;
}>;

/** Starts Temporal's dev server as `temporal-dev.yml` says, and waits until workflows can be started on it. */
export async function startTemporal(options: TemporalOptions): Promise<Child> {
  const { cli, ports, dbFile, log, env } = options;
  const command = readTemporalCommand();
  mkdirSync(dirname(dbFile), { recursive: true });
  const child = await startChild({
    name: 'temporal',
    command: [cli, ...nativeArguments(command, { ports, dbFile })],
    env,
    cwd: dirname(dbFile),
    log,
  });
  const address = `127.0.0.1:${ports.grpc}`;
  try {
    await untilReady(child, () => servesNamespace(address));
    await prepareNamespace(address, command.searchAttributes);
  } catch (error) {
    await child.stop();
    throw error;
  }
  return child;
}
