import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, startChild } from '../../src/cli/stack/child.ts';
import { localTemporalEnv } from '../../src/cli/stack/environment.ts';
import { choosePorts } from '../../src/cli/stack/ports.ts';
import { untilPrinted } from '../../src/cli/stack/ready.ts';
import { findTemporalCli } from '../../src/cli/stack/temporal-cli.ts';
import { startTemporal } from '../../src/cli/stack/temporal-server.ts';
import type { Env } from '../../src/config.ts';
import { KNOWN_ENDPOINTS, OPERATIONS } from '../../src/spec/endpoints.ts';
import type { BenchContext } from './context.ts';
import { READY_LINE, SEEN_PATH } from './instant-service/names.ts';
import type { Seen } from './instant-service/ledger.ts';
import { compiled } from './run-module.ts';

/** How long a program may take to end, in milliseconds; nothing that it does is worth waiting for. */
const STOP_GRACE_MS = 5_000;

/** Chunks that are sent side by side, by the engine and by the bare loop. */
export const CHUNKS_IN_FLIGHT = 16;

/** The service settles at once, and the engine polls right after sending: a second poll is an exception. */
const POLL_MS = 1_000;

export type BenchStack = Readonly<{
  folder: string;
  /** Settings of everything that works with this stack. */
  env: Env;
  workerPid: number;
  /** What the service took, by batch. */
  seen(): Promise<Readonly<Record<string, Seen>>>;
}>;

export type StackOptions = Readonly<{
  chunkRows: number;
  /** How long the service takes to answer a create request; 0: it answers at once. */
  createDelayMs: number;
  /** Name of its folder, and of the worker's profile. */
  name: string;
}>;

/** Starts Temporal, the instant service and one worker, lets `use` work with them, and stops them whatever happens. */
export async function withStack<Result>(
  context: BenchContext,
  options: StackOptions,
  use: (stack: BenchStack) => Promise<Result>,
): Promise<Result> {
  const children: Child[] = [];
  try {
    return await use(await start(context, options, (child) => void children.push(child)));
  } finally {
    for (const child of children.reverse()) await child.stop();
  }
}

async function start(
  context: BenchContext,
  { chunkRows, createDelayMs, name }: StackOptions,
  keep: (child: Child) => void,
): Promise<BenchStack> {
  const folder = join(context.folder, name);
  mkdirSync(folder);
  const temporal = await startOwnTemporal(context.env, folder);
  keep(temporal.child);
  context.signal.throwIfAborted();

  const starter = createStarter(folder, keep);
  const delay = ['--create-delay-ms', String(createDelayMs)];
  const service = await starter('service', [SERVICE, ...delay], context.env);
  const url = await addressOf(service);

  const env = {
    ...temporal.env,
    ...settings({ folder, url, chunkRows, taskQueue: `bench-${randomUUID()}` }),
  };
  const worker = await starter('worker', [...profiling(context, name), WORKER], env);
  await untilPrinted(worker, 'worker ready');
  return {
    folder,
    env,
    workerPid: worker.pid,
    seen: async () => (await (await fetch(url + SEEN_PATH)).json()) as Record<string, Seen>,
  };
}

const SERVICE = compiled('../support/instant-service/main.js');
const WORKER = compiled('../../src/worker.js');

async function startOwnTemporal(env: Env, folder: string): Promise<{ child: Child; env: Env }> {
  const cli = await findTemporalCli({ env, say: () => undefined });
  const any = { host: '127.0.0.1', port: 0 };
  const wanted = [
    { name: 'Temporal', ...any },
    { name: 'web UI', ...any },
  ];
  const [grpc = 0, ui = 0] = await choosePorts(wanted, 'free');
  const local = localTemporalEnv(env, { address: `127.0.0.1:${grpc}`, dataDir: folder });
  const dbFile = join(folder, 'temporal.db');
  const log = join(folder, 'temporal.log');
  const child = await startTemporal({ cli, ports: { grpc, ui }, dbFile, log, env: local });
  return { child, env: local };
}

function createStarter(folder: string, keep: (child: Child) => void) {
  return async (name: string, nodeArguments: readonly string[], env: Env): Promise<Child> => {
    const child = await startChild({
      name,
      command: [process.execPath, ...nodeArguments],
      env,
      cwd: folder,
      log: join(folder, `${name}.log`),
      graceMs: STOP_GRACE_MS,
    });
    keep(child);
    return child;
  };
}

async function addressOf(service: Child): Promise<string> {
  await untilPrinted(service, READY_LINE);
  const printed = readFileSync(service.log, 'utf8');
  return printed.slice(READY_LINE.length).trim();
}

const profiling = ({ profileDir }: BenchContext, name: string): string[] =>
  profileDir === undefined
    ? []
    : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`, `--cpu-prof-name=worker-${name}.cpuprofile`];

type Place = Readonly<{ folder: string; url: string; chunkRows: number; taskQueue: string }>;

/** Settings under which nothing but the three known operations is ever called. */
function settings({ folder, url, chunkRows, taskQueue }: Place): Env {
  const secretFile = join(folder, 'secret');
  writeFileSync(secretFile, 'bench-secret', { mode: 0o600 });
  const others = OPERATIONS.filter((operation) => !(operation in KNOWN_ENDPOINTS));
  return {
    ...Object.fromEntries(others.map((operation) => [`BURSAR_API_ENDPOINT_${operation}`, ''])),
    // A settings file of whoever runs the bench must not change what is measured.
    BURSAR_CONFIG: emptyFile(folder),
    BURSAR_API_BASE_URL: url,
    BURSAR_API_KEY: 'bench-key',
    BURSAR_API_SECRET_FILE: secretFile,
    BURSAR_API_ACCOUNT: '0xbe0c000000000000000000000000000000000001',
    BURSAR_STORE_URL: `sqlite:${join(folder, 'store.db')}`,
    BURSAR_BLOB_URL: `file:${join(folder, 'blobs')}`,
    BURSAR_REPORT_DIR: join(folder, 'runs'),
    BURSAR_BATCH_CHUNK_ROWS: String(chunkRows),
    BURSAR_BATCH_CHUNKS_IN_FLIGHT: String(CHUNKS_IN_FLIGHT),
    BURSAR_POLL_MIN_MS: String(POLL_MS),
    BURSAR_POLL_MAX_MS: String(POLL_MS),
    BURSAR_TASK_QUEUE: taskQueue,
    NO_COLOR: '1',
  };
}

function emptyFile(folder: string): string {
  const file = join(folder, 'bursar.toml');
  writeFileSync(file, '');
  return file;
}
