import type { Env } from '../config.ts';
import type { BursarError } from '../domain/errors/bursar-error.ts';
import { type Child, processDied } from './processes/child.ts';
import { takeDataFolder } from './data-folder.ts';
import type { StackAddresses, StackOptions } from './options.ts';
import { planStack } from './plan.ts';
import { dropSharedEnv, keepSharedEnv } from './stack-env.ts';
import { startProcesses } from './start-processes.ts';
import { findTemporalCli } from './temporal-cli/find.ts';

export type { Programs, StackAddresses, StackOptions } from './options.ts';

export type Stack = Readonly<{
  addresses: StackAddresses;
  /** The environment in which commands talk to this stack; read settings and Temporal's profile from it. */
  env: Env;
  /** In the order of their start. */
  processes: readonly Child[];
  /** Resolves when a process ends without a stop. The others go on until `stop`. */
  died: Promise<BursarError<'PROCESS_DIED'>>;
  /** Ends every process, the last one first, and lets the next stack in. May be called again. */
  stop(): Promise<void>;
}>;

/**
 * Starts Temporal, the codec server of an encrypted stack, the bridge, the sandbox and the worker, each when the one before is
 * ready.
 * All of them end with this process, even when it is killed. Nothing that dies is started again.
 * A Temporal that answers nothing is, see `watchdog.ts`.
 * Throws PORT_TAKEN, STACK_RUNNING (another stack works in the folder), PROCESS_DIED, TEMPORAL_CLI_MISSING.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const folder = takeDataFolder(options.cwd);
  const processes: Child[] = [];
  let isStopping = false;
  const stop = async () => {
    isStopping = true;
    dropSharedEnv(folder.path);
    for (const child of processes.toReversed()) await child.stop();
    folder.release();
  };
  try {
    // First, because it may take minutes, in which another program could take the ports.
    const cli = await findTemporalCli(options);
    const plan = await planStack(options, folder.path);
    await startProcesses(options, { cli, plan, folder, keep: (child) => processes.push(child) });
    keepSharedEnv(folder.path, plan.env);
    const died = firstDeath(processes, () => isStopping);
    return { addresses: plan.addresses, env: plan.env, processes, died, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function firstDeath(
  processes: readonly Child[],
  isStopping: () => boolean,
): Promise<BursarError<'PROCESS_DIED'>> {
  return new Promise((resolve) => {
    for (const child of processes) {
      void child.ended.then((how) => {
        if (!isStopping()) resolve(processDied(child, how));
      });
    }
  });
}
