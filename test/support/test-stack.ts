import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CommandEnd, runCommand } from './cli/run-command.ts';
import { freePort } from './free-port.ts';
import { sharedTemporal } from './temporal/shared-temporal.ts';
import { testStoreUrl } from './test-database.ts';
import { unprovenOf } from './verified.ts';
import { type ProcessSpec, startProcess, type TestProcess } from './test-process.ts';

export type ProcessName = 'sandbox' | 'bridge' | 'worker';

export type TestStack = Awaited<ReturnType<typeof startTestStack>>;

const ACCOUNT = '0x5a4db0c500000000000000000000000000000001';

export type TestStackOptions = Readonly<{
  /** An empty folder of the test. */
  folder: string;
  /** Added to, or instead of, the settings that make a test quick. */
  env?: Readonly<Record<string, string>>;
  /** Another Temporal server than the shared one. */
  temporalAddress?: string;
  /** Whether the sandbox tells the bridge from the start, as one of `bursar up` does; true by default. */
  subscribed?: boolean;
  /** Programs that are not started. */
  without?: readonly ProcessName[];
}>;

/** Real processes, as a user runs them, on free ports and in a folder of their own; Temporal is shared. */
export async function startTestStack(options: TestStackOptions) {
  const { folder, without = [], subscribed = true } = options;
  const ports = { sandbox: await freePort(), bridge: await freePort() };
  const env = { ...(await baseEnv(folder, ports)), ...temporalEnv(options), ...options.env };
  const running = new Map<ProcessName, TestProcess>();
  const start = async (name: ProcessName): Promise<void> => {
    const isTold = name === 'sandbox' && subscribed && !without.includes('bridge');
    const hook = isTold ? webhookEnv(folder, ports) : {};
    running.set(
      name,
      await startProcess({ ...SPECS[name], cwd: folder, env: { ...hook, ...env } }),
    );
  };
  const others: TestProcess[] = [];
  const run = (args: readonly string[], other: Record<string, string> = {}): Promise<CommandEnd> =>
    runCommand({ args, env: { ...env, ...other }, cwd: folder });
  const startUnlessWithout = async (name: ProcessName): Promise<void> => {
    if (!without.includes(name)) await start(name);
  };
  // The sandbox is told the token that the bridge makes.
  await startUnlessWithout('bridge');
  await Promise.all([startUnlessWithout('sandbox'), startUnlessWithout('worker')]);

  return {
    folder,
    env,
    /** An id that no other test uses: Temporal is shared. */
    batchId: newBatchId(),
    sandboxUrl: `http://127.0.0.1:${ports.sandbox}`,
    bridgeUrl: `http://127.0.0.1:${ports.bridge}`,
    start,
    /** Starts one more worker, which shares everything with the first. */
    async startAnotherWorker(): Promise<void> {
      others.push(await startProcess({ ...SPECS.worker, cwd: folder, env }));
    },
    /** Starts a program with other settings beside those of the stack. */
    async startElsewhere(name: ProcessName, other: Record<string, string>): Promise<TestProcess> {
      const started = await startProcess({
        ...SPECS[name],
        cwd: folder,
        env: { ...env, ...other },
      });
      others.push(started);
      return started;
    },
    kill: (name: ProcessName) => running.get(name)?.kill(),
    freeze: (name: ProcessName) => running.get(name)?.freeze(),
    wake: (name: ProcessName) => running.get(name)?.wake(),
    stopOne: (name: ProcessName) => running.get(name)?.stop(),
    output: (name: ProcessName) => running.get(name)?.output() ?? '',
    /** Runs a command of ours to its end. */
    bursar: (...args: string[]): Promise<CommandEnd> => run(args),
    /** The same with other settings. */
    bursarWith: (other: Record<string, string>, ...args: string[]): Promise<CommandEnd> =>
      run(args, other),
    /** Runs a command that prints JSON. */
    async json(...args: string[]): Promise<{ code: number; value: Record<string, unknown> }> {
      const { code, out, err } = await run([...args, '-o', 'json']);
      try {
        return { code, value: JSON.parse(out) as Record<string, unknown> };
      } catch (cause) {
        throw new Error(`bursar ${args.join(' ')} ended with ${code}: ${out}\n${err}`, { cause });
      }
    },
    /** Stops everything. Fails when a batch that ended is not as it was written down, unless the test changed it. */
    async stop({ isTampered = false } = {}): Promise<void> {
      for (const other of others) await other.stop();
      for (const name of ['worker', 'sandbox', 'bridge'] as const) await running.get(name)?.stop();
      const unproven = isTampered ? [] : await unprovenOf(folder);
      if (unproven.length > 0) throw new Error(unproven.join('\n'));
    },
  };
}

export const newBatchId = (): string => `payroll-${randomUUID().slice(0, 8)}`;

const compiled = (path: string): string =>
  fileURLToPath(new URL(`../../build/${path}`, import.meta.url));

const SPECS: Readonly<Record<ProcessName, Pick<ProcessSpec, 'module' | 'ready'>>> = {
  sandbox: { module: compiled('programs/sandbox.js'), ready: /sandbox listening on/ },
  bridge: { module: compiled('programs/bridge.js'), ready: /bridge listening on/ },
  worker: { module: compiled('programs/worker.js'), ready: /worker ready/ },
};

async function baseEnv(folder: string, ports: { sandbox: number; bridge: number }) {
  const secretFile = join(folder, 'secret');
  writeFileSync(secretFile, 'test-secret', { mode: 0o600 });
  return {
    BURSAR_API_BASE_URL: `http://127.0.0.1:${ports.sandbox}`,
    BURSAR_API_KEY: 'test-key',
    BURSAR_API_SECRET_FILE: secretFile,
    BURSAR_API_ACCOUNT: ACCOUNT,
    BURSAR_STORE_URL: await testStoreUrl(folder),
    BURSAR_BLOB_URL: `file:${join(folder, 'blobs')}`,
    BURSAR_REPORT_DIR: join(folder, 'runs'),
    BURSAR_BRIDGE_LISTEN: `127.0.0.1:${ports.bridge}`,
    BURSAR_BRIDGE_TOKEN_FILE: join(folder, 'bridge-token'),
    BURSAR_POLL_MIN_MS: '500',
    BURSAR_POLL_MAX_MS: '1000',
    BURSAR_SANDBOX_LISTEN: `127.0.0.1:${ports.sandbox}`,
    BURSAR_SANDBOX_STORE_URL: `sqlite:${join(folder, 'sandbox.db')}`,
    BURSAR_SANDBOX_KEYS: `test-key:test-secret:${ACCOUNT}`,
    BURSAR_SANDBOX_STEP_MS: '50',
    BURSAR_TASK_QUEUE: `bursar-test-${randomUUID()}`,
    NO_COLOR: '1',
  };
}

function temporalEnv({ folder, temporalAddress }: TestStackOptions) {
  return {
    TEMPORAL_ADDRESS: temporalAddress ?? sharedTemporal().address,
    TEMPORAL_NAMESPACE: 'default',
    // A profile of the person who runs the tests must not lead them to another server.
    TEMPORAL_CONFIG_FILE: join(folder, 'no-temporal.toml'),
  };
}

/** The bridge makes its token at its first start. */
const webhookEnv = (folder: string, ports: { bridge: number }) => ({
  BURSAR_SANDBOX_WEBHOOK_URL: `http://127.0.0.1:${ports.bridge}/hooks/${readFileSync(
    join(folder, 'bridge-token'),
    'utf8',
  ).trim()}`,
});
