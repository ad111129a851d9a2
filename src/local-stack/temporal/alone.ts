import type { Env } from '../../config.ts';
import type { Child } from '../processes/child.ts';
import { takeDataFolder } from '../data-folder.ts';
import { choosePorts } from '../processes/ports.ts';
import { TEMPORAL_PORTS, temporalWants } from '../stack-ports.ts';
import { findTemporalCli } from '../temporal-cli/find.ts';
import type { TemporalPorts } from './command.ts';
import { startTemporal } from './server.ts';

export type TemporalAloneOptions = Readonly<{
  env: Env;
  /** The data lies in `.bursar` below it, where a whole stack has it. */
  cwd: string;
  say: (line: string) => void;
  ports?: TemporalPorts;
}>;

/**
 * Starts nothing but Temporal's dev server, on its usual ports. It ends with this process, even when it is killed.
 * Throws PORT_TAKEN, STACK_RUNNING, PROCESS_DIED, TEMPORAL_CLI_MISSING.
 */
export async function startTemporalAlone(options: TemporalAloneOptions): Promise<Child> {
  const { env, cwd, say, ports: wanted = TEMPORAL_PORTS } = options;
  const folder = takeDataFolder(cwd);
  try {
    const cli = await findTemporalCli({ env, say });
    const [grpc = 0, ui = 0] = await choosePorts(temporalWants(wanted), 'fixed');
    const { dbFile } = folder;
    const log = folder.logOf('temporal');
    const child = await startTemporal({ cli, ports: { grpc, ui }, dbFile, log, env });
    say(`temporal ready at 127.0.0.1:${grpc}, web UI at http://127.0.0.1:${ui}`);
    return { ...child, stop: () => child.stop().finally(folder.release) };
  } catch (error) {
    folder.release();
    throw error;
  }
}
