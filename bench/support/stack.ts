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

export type BenchStack = Readonly<{
  folder: string;
  /** Settings of everything that works with this stack. */
  env: Env;
  /** Where Temporal listens. */
  temporalAddress: string;
  /** The process ids of `worker`, `Temporal` and `service`, as they run now; of further workers as `worker 2` and so on. */
  pids(): Readonly<Record<'worker' | 'Temporal' | 'service', number>> &
    Readonly<Record<string, number>>;
  /** Ends the worker by this signal, and starts another one as soon as it has ended. Returns when it had ended, Unix milliseconds. */
  replaceWorker(signal: 'SIGKILL' | 'SIGTERM'): Promise<number>;
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
  const startWorker = async (): Promise<Child> => {
    const args = [...profiling(context, name), ...workerNodeArgs, WORKER];
    const started = await startNode('worker', args, env);
    await untilPrinted(started, 'worker ready');
    return started;
  };
  let worker = await startWorker();
  const others: [name: string, pid: number][] = [];
  for (let n = 2; n <= workers; n += 1) {
    others.push([`worker ${n}`, (await startWorker()).pid]);
  }
  return {
    folder,
    env,
    temporalAddress: temporal.address,
    pids: () => ({
      worker: worker.pid,
      Temporal: temporal.child.pid,
      service: service.pid,
      ...Object.fromEntries(others),
    }),
    async replaceWorker(signal) {
      process.kill(worker.pid, signal);
      await worker.ended;
      const endedMs = Date.now();
      worker = await startWorker();
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
