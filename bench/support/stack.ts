import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Child } from '../../src/local-stack/processes/child.ts';
import { localTemporalEnv } from '../../src/local-stack/plan.ts';
import { choosePorts } from '../../src/local-stack/processes/ports.ts';
import { untilPrinted } from '../../src/local-stack/processes/ready.ts';
import { temporalWants } from '../../src/local-stack/stack-ports.ts';
import { findTemporalCli } from '../../src/local-stack/temporal-cli/find.ts';
import { startTemporal } from '../../src/local-stack/temporal/server.ts';
import type { Env } from '../../src/config.ts';
import type { BenchContext } from './context.ts';
import type { Seen } from './instant-service/ledger.ts';
import { READY_LINE, SEEN_PATH } from './instant-service/names.ts';
import { addressOf, profiling, startProgram } from './program.ts';
import { compiled } from './run-module.ts';
import { settingsEnv, withoutSettings } from './settings.ts';

const SERVICE = compiled('../support/instant-service/main.js');
const WORKER = compiled('../../programs/worker.js');
const BRIDGE = compiled('../../programs/bridge.js');
const BRIDGE_NAME = 'bridge';

export type BenchStack = Readonly<{
  folder: string;
  /** Settings of everything that works with this stack. */
  env: Env;
  /** Where Temporal listens. */
  temporalAddress: string;
  /** The process ids of `worker`, `Temporal` and `service`, as they run now; of further workers as `worker 2` and so on, and of `bridge`. */
  pids(): Readonly<Record<'worker' | 'Temporal' | 'service', number>> &
    Readonly<Record<string, number>>;
  /**
   * Ends a worker or the bridge by this signal, and starts another one as soon as it has ended. Returns when it had ended, Unix
   * milliseconds.
   */
  replace(name: string, signal: 'SIGKILL' | 'SIGTERM'): Promise<number>;
  /** What the service received, by batch. */
  seen(): Promise<Readonly<Record<string, Seen>>>;
}>;

export type StackOptions = Readonly<{
  /** Names its folder, and that of its worker's profiles. */
  name: string;
  chunkRows: number;
  /** How long the service takes to answer a create request; 0: it answers at once. */
  createDelayMs: number;
  /** Workers that share the task queue. Default: 1. */
  workers?: number | undefined;
  /** Whether a bridge runs. The service sends no webhooks. */
  bridge?: boolean;
  /** One of so many creates is accepted and gets no answer; missing: each gets one. */
  cutOneOf?: number;
  /** More settings. */
  env?: Env;
  /** Options of Node.js for the worker. */
  workerNodeArgs?: readonly string[];
}>;

/** Starts Temporal, the instant service and one worker, lets `use` work with them, and stops them whatever happens. */
export async function withStack<Result>(
  context: BenchContext,
  options: StackOptions,
  use: (stack: BenchStack) => Promise<Result>,
): Promise<Result> {
  const children: Child[] = [];
  try {
    return await use(await start(context, options, children));
  } finally {
    for (const child of children.reverse()) await child.stop();
  }
}

/** Puts each child into the list as soon as it runs, so that it is stopped when a later one fails. */
async function start(
  context: BenchContext,
  options: StackOptions,
  children: Child[],
): Promise<BenchStack> {
  const { name, chunkRows, createDelayMs, cutOneOf, workers = 1, workerNodeArgs = [] } = options;
  const folder = join(context.folder, name);
  mkdirSync(folder);
  const startNode = async (program: string, args: readonly string[], env: Env): Promise<Child> => {
    const child = await startProgram(context, { name: program, args, env, folder });
    children.push(child);
    return child;
  };

  const temporal = await startOwnTemporal(withoutSettings(context.env), folder);
  children.push(temporal.child);
  const delay = ['--create-delay-ms', String(createDelayMs)];
  const cut = cutOneOf === undefined ? [] : ['--cut-one-of', String(cutOneOf)];
  const service = await startNode('service', [SERVICE, ...delay, ...cut], temporal.env);
  const url = await addressOf(service, READY_LINE);
  const taskQueue = `bench-${randomUUID()}`;
  const env = {
    ...temporal.env,
    ...settingsEnv({ folder, url, chunkRows, taskQueue }),
    ...options.env,
  };
  const startOne = async (one: string): Promise<Child> => {
    const [args, ready] =
      one === BRIDGE_NAME
        ? [[BRIDGE], 'bridge listening on']
        : [[...profiling(context, name), ...workerNodeArgs, WORKER], 'worker ready'];
    const started = await startNode(one, args, env);
    await untilPrinted(started, ready);
    return started;
  };
  const running = new Map<string, Child>();
  const names = Array.from({ length: workers }, (_, i) => (i === 0 ? 'worker' : `worker ${i + 1}`));
  for (const one of [...names, ...(options.bridge === true ? [BRIDGE_NAME] : [])]) {
    running.set(one, await startOne(one));
  }
  const childOf = (one: string): Child => {
    const child = running.get(one);
    if (child === undefined) throw new Error(`there is no ${one}`);
    return child;
  };
  return {
    folder,
    env,
    temporalAddress: temporal.address,
    pids: () => ({
      worker: childOf('worker').pid,
      Temporal: temporal.child.pid,
      service: service.pid,
      ...Object.fromEntries([...running].map(([one, { pid }]) => [one, pid])),
    }),
    async replace(one, signal) {
      const child = childOf(one);
      process.kill(child.pid, signal);
      await child.ended;
      const endedMs = Date.now();
      running.set(one, await startOne(one));
      return endedMs;
    },
    seen: async () => (await (await fetch(url + SEEN_PATH)).json()) as Record<string, Seen>,
  };
}

async function startOwnTemporal(env: Env, folder: string) {
  const cli = await findTemporalCli({ env, say: () => undefined });
  const [grpc = 0, ui = 0] = await choosePorts(temporalWants({ grpc: 0, ui: 0 }), 'free');
  const address = `127.0.0.1:${grpc}`;
  const local = localTemporalEnv(env, { address, dataDir: folder });
  const dbFile = join(folder, 'temporal.db');
  const log = join(folder, 'temporal.log');
  const child = await startTemporal({ cli, ports: { grpc, ui }, dbFile, log, env: local });
  return { child, address, env: local };
}
