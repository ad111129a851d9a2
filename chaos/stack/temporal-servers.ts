import { join } from 'node:path';
import type { Env } from '../../src/config.ts';
import type { Child } from '../../src/local-stack/processes/child.ts';
import { choosePorts } from '../../src/local-stack/processes/ports.ts';
import { temporalWants } from '../../src/local-stack/stack-ports.ts';
import { startTemporal } from '../../src/local-stack/temporal/server.ts';
import { findTemporalCli } from '../../src/local-stack/temporal-cli/find.ts';
import { cleanEnv } from './settings.ts';

/** Temporal in a run. */
export type TemporalServers = Readonly<{
  /** The ports on which it serves clients, one of each process. */
  ports: readonly number[];
  /** Starts the process of this name, and waits until workflows can be started on it. */
  start(name: string, log: string): Promise<Child>;
  /** Returns the beginning of the paths, below the folder of the run, of the files with everything that it has stored. */
  storedFiles(): Promise<string>;
}>;

/** The folder of the run, and the environment of the user who starts it. */
export type TemporalGround = Readonly<{ folder: string; env: Env; say(line: string): void }>;

/** The dev server: one process with its database in a file. */
export async function temporalDevServer({
  folder,
  env,
  say,
}: TemporalGround): Promise<TemporalServers> {
  const cli = await findTemporalCli({ env, say });
  const [grpc = 0, ui = 0] = await choosePorts(temporalWants({ grpc: 0, ui: 0 }), 'free');
  const database = 'temporal.db';
  const dbFile = join(folder, database);
  return {
    ports: [grpc],
    start: (_name, log) =>
      startTemporal({ cli, ports: { grpc, ui }, dbFile, log, env: cleanEnv(env) }),
    storedFiles: async () => database,
  };
}
