import { join } from 'node:path';
import type { Env } from '../config.ts';
import { type Child, startChild } from './processes/child.ts';
import type { DataFolder } from './data-folder.ts';
import { packageRoot } from './package-root.ts';
import { untilPrinted } from './processes/ready.ts';
import type { Programs, StackOptions } from './options.ts';
import type { StackPlan } from './plan.ts';
import { startTemporal } from './temporal/server.ts';

/** How the line begins that each program prints when it is ready. */
const READY_LINES: Readonly<Record<keyof Programs, string>> = {
  bridge: 'bridge listening on ',
  'codec-server': 'codec server listening on ',
  sandbox: 'sandbox listening on ',
  worker: 'worker ready',
};

type Context = Readonly<{
  /** Path of Temporal's command line tool. */
  cli: string;
  plan: StackPlan;
  folder: DataFolder;
  /** Gets each process as soon as it runs, so that it can be stopped when a later one fails. */
  keep: (child: Child) => void;
}>;

/** Starts every process of the plan, each when the one before is ready. */
export async function startProcesses(options: StackOptions, context: Context): Promise<void> {
  const { cli, plan, folder, keep } = context;
  const { addresses, env, sandboxEnv, uiCodecEndpoint } = plan;
  const { say } = options;
  const temporal = await startTemporal({
    cli,
    ports: plan.temporalPorts,
    dbFile: folder.dbFile,
    log: folder.logOf('temporal'),
    env: options.env,
    ...(uiCodecEndpoint !== undefined && { uiCodecEndpoint }),
  });
  keep(temporal);
  say(`temporal ready at ${addresses.temporal}, web UI at ${addresses.ui}`);

  const start = createStarter(options, context);
  if (addresses.codecServer !== undefined) {
    await start('codec-server', env);
    say(`codec server ready at ${addresses.codecServer}`);
  }
  await start('bridge', env);
  say(`bridge ready at ${addresses.bridge}`);
  if (sandboxEnv !== undefined) {
    await start('sandbox', sandboxEnv());
    say(`sandbox ready at ${addresses.sandbox}`);
  }
  await start('worker', env);
  say('worker ready');
}

/** Starts one of our own programs, and waits for its line. */
function createStarter({ cwd, programs = builtPrograms() }: StackOptions, context: Context) {
  return async (name: keyof Programs, env: Env): Promise<void> => {
    const log = context.folder.logOf(name);
    const command = [process.execPath, programs[name]] as const;
    const child = await startChild({ name, command, env, cwd, log });
    context.keep(child);
    await untilPrinted(child, READY_LINES[name]);
  };
}

function builtPrograms(): Programs {
  const built = join(packageRoot(), 'build/programs');
  return {
    bridge: join(built, 'bridge.js'),
    'codec-server': join(built, 'codec-server.js'),
    sandbox: join(built, 'sandbox.js'),
    worker: join(built, 'worker.js'),
  };
}
