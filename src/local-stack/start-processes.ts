import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Env } from '../config.ts';
import { type Child, startChild } from './processes/child.ts';
import type { DataFolder } from './data-folder.ts';
import { packageRoot } from './package-root.ts';
import { untilPrinted } from './processes/ready.ts';
import type { Programs, StackOptions } from './options.ts';
import type { StackPlan } from './plan.ts';
import { startTemporal } from './temporal/server.ts';
import { openProbe, watched } from './temporal/watchdog.ts';

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
  const startTheTemporal = (): Promise<Child> =>
    startTemporal({
      cli,
      ports: plan.temporalPorts,
      dbFile: folder.dbFile,
      log: folder.logOf('temporal'),
      env: options.env,
      namespace: options.settings.temporal.namespace,
      ...(uiCodecEndpoint !== undefined && { uiCodecEndpoint }),
    });
  const temporal = watched(await startTheTemporal(), {
    probe: openProbe(addresses.temporal),
    start: startTheTemporal,
    say,
    nowMs: () => performance.now(),
    pause: (delayMs, signal) => sleep(delayMs, undefined, { signal }).catch(() => undefined),
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
function createStarter(options: StackOptions, context: Context) {
  const { cwd, programs = builtPrograms() } = options;
  const { port } = options.settings.admin;
  return async (name: keyof Programs, given: Env): Promise<void> => {
    const log = context.folder.logOf(name);
    const command = [process.execPath, programs[name]] as const;
    const env = { ...given, ...adminEnv(name, port) };
    const child = await startChild({ name, command, env, cwd, log });
    context.keep(child);
    await untilPrinted(child, READY_LINES[name]);
  };
}

/** Programs with an admin port, in the order of their ports. */
const ADMINISTERED: readonly string[] = ['worker', 'bridge', 'codec-server'];

/** The programs share a machine, so that each gets an admin port of its own. Port 0 picks a free one for each. */
export function adminEnv(program: string, port: number | undefined): Env {
  const place = ADMINISTERED.indexOf(program);
  if (port === undefined || port === 0 || place < 0) return {};
  return { BURSAR_ADMIN_PORT: String(port + place) };
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
