import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { compiled } from '../../bench/support/run-module.ts';
import { type Child, startChild } from '../../src/local-stack/processes/child.ts';
import { untilPrinted } from '../../src/local-stack/processes/ready.ts';
import type { Env } from '../../src/config.ts';
import type { ProcessName } from './names.ts';
import type { ObjectStore } from './object-store.ts';
import type { ChaosSettings } from './settings.ts';
import type { TemporalServers } from './temporal-servers.ts';

export type Processes = ReturnType<typeof createProcesses>;

export type Programs = Readonly<{
  folder: string;
  names: readonly ProcessName[];
  settings: ChaosSettings;
  temporal: TemporalServers;
  objects?: ObjectStore;
}>;

/** Between two tries to start a program that could not start, say because the disk was full; milliseconds. */
const TRY_AGAIN_MS = 500;
const LOOK_MS = 50;
const STOP_GRACE_MS = 15_000;
/** How long a program may take to work for the first time, when nothing goes wrong yet; milliseconds. */
const FIRST_START_MS_MAX = 120_000;

/** The processes of a run. Each comes back whenever it ends, however it ended, until everything is stopped. */
export function createProcesses(programs: Programs, say: (line: string) => void) {
  const running = new Map<ProcessName, Child>();
  const starts = new Map<ProcessName, number>();
  /** Ends that nobody asked for. */
  const crashes: string[] = [];
  const expected = new Set<number>();
  const stopping = new AbortController();

  const startOnce = async (name: ProcessName): Promise<Child> => {
    const turn = (starts.get(name) ?? 0) + 1;
    starts.set(name, turn);
    // A log of its own for each start: what a killed process said is evidence, too.
    const log = join(programs.folder, 'logs', `${name}.${turn}.log`);
    return startProgram(programs, name, log);
  };

  /** Processes that do not start, and those of them that have ended. */
  const held = new Set<ProcessName>();
  const resting = new Set<ProcessName>();

  const rest = async (name: ProcessName): Promise<void> => {
    while (held.has(name) && !stopping.signal.aborted) {
      resting.add(name);
      await pause(LOOK_MS);
    }
    resting.delete(name);
  };

  /** Sends a signal; answers the id of the process that took it, undefined where it is just not there. */
  function signal(name: ProcessName, kind: NodeJS.Signals): number | undefined {
    const child = running.get(name);
    if (child === undefined) return undefined;
    if (kind === 'SIGKILL') expected.add(child.pid);
    try {
      process.kill(child.pid, kind);
      return child.pid;
    } catch {
      // It has ended since.
      return undefined;
    }
  }

  const keepAlive = async (name: ProcessName): Promise<void> => {
    while (!stopping.signal.aborted) {
      await rest(name);
      try {
        const child = await startOnce(name);
        running.set(name, child);
        const how = await child.ended;
        running.delete(name);
        if (!stopping.signal.aborted && !expected.has(child.pid))
          crashes.push(`${name} ended by itself: ${how}, ${child.log}`);
      } catch (error) {
        say(`${name} could not start: ${(error as Error).message}`);
        await pause(TRY_AGAIN_MS);
      }
    }
  };

  const kept: Promise<void>[] = [];

  return {
    crashes,
    /** Starts everything, one after the other, and waits until all of it works. Throws when something never does. */
    async start(): Promise<void> {
      for (const name of programs.names) {
        kept.push(keepAlive(name));
        const deadline = performance.now() + FIRST_START_MS_MAX;
        while (!running.has(name)) {
          if (performance.now() > deadline) throw new Error(`${name} does not start at all`);
          await pause(LOOK_MS);
        }
      }
    },
    signal,
    /** Kills processes, and lets none of them start before its release. */
    async hold(names: readonly ProcessName[]): Promise<void> {
      for (const name of names) held.add(name);
      for (const name of names) {
        while (!resting.has(name)) {
          signal(name, 'SIGKILL');
          await pause(LOOK_MS);
        }
      }
    },
    /** Lets held processes start, and waits until they work. */
    async release(names: readonly ProcessName[]): Promise<void> {
      for (const name of names) {
        held.delete(name);
        while (!running.has(name)) await pause(LOOK_MS);
      }
    },
    /** Asks everything to end in order. */
    async stop(): Promise<void> {
      stopping.abort();
      for (const name of programs.names.toReversed()) await running.get(name)?.stop();
      await Promise.all(kept);
    },
  };
}

type Program = Readonly<{ module: string; ready: string; env(settings: ChaosSettings): Env }>;

const WORKER: Program = {
  module: compiled('../../programs/worker.js'),
  ready: 'worker ready',
  env: ({ engine }) => engine,
};

const BRIDGE: Program = {
  module: compiled('../../programs/bridge.js'),
  ready: 'bridge listening on',
  env: ({ engine }) => engine,
};

type TemporalName = 'temporal' | 'temporal-a' | 'temporal-b';

const PROGRAMS: Readonly<Record<Exclude<ProcessName, TemporalName | 's3'>, Program>> = {
  'worker-a': WORKER,
  'worker-b': WORKER,
  'worker-c': WORKER,
  'worker-d': WORKER,
  bridge: BRIDGE,
  'bridge-b': { ...BRIDGE, env: ({ secondBridge }) => secondBridge },
  sandbox: {
    module: compiled('../../programs/sandbox.js'),
    ready: 'sandbox listening on',
    env: ({ sandbox }) => sandbox,
  },
};

async function startProgram(programs: Programs, name: ProcessName, log: string): Promise<Child> {
  const { folder, settings, temporal, objects } = programs;
  if (name === 'temporal' || name === 'temporal-a' || name === 'temporal-b') {
    return temporal.start(name, log);
  }
  if (name === 's3') {
    if (objects === undefined) throw new Error('this stack has no object store');
    return objects.start(log);
  }
  const { module, ready, env } = PROGRAMS[name];
  const child = await startChild({
    name,
    env: env(settings),
    cwd: folder,
    log,
    graceMs: STOP_GRACE_MS,
    command: [process.execPath, module],
  });
  try {
    await untilPrinted(child, ready);
  } catch (error) {
    await child.stop();
    throw error;
  }
  return child;
}
