import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_ENDPOINTS } from '@bursar/merchant-api/spec';
import type { TestTarget } from './options.ts';
import type { TestPayment } from './run.ts';

const [KEY, SECRET] = ['conformance-key', 'conformance-secret'];
const ACCOUNT = '0xc0f0000000000000000000000000000000000001';

/**
 * Fast enough for the first retry of a webhook, due after 30 seconds, to come within one second.
 */
export const SPEED = 30;

/**
 * Fast enough for the last retry of a webhook, due after 91 hours, to come within eleven seconds.
 */
export const SPEED_FAST = 30_000;

/** Milliseconds between two states. The checks can read each state in that time. */
const STEP_REAL_MS = 100;

/** Addresses of the sandbox's README. */
export const SANDBOX_PAYMENT: TestPayment = {
  currency: 'USDT_TRC20',
  amount: '1.5',
  address: 'TWGd9ia8Q5mkXwLfvGK2YWHkMu2FPmt1DK',
  failingAddress: 'TWGd9ia8QGPbt6S7kpswnKTQMPAf8j5bi3',
  invalidAddress: 'TWGd9ia8Qzs1Giou759cja82KKkJGRLeuc',
};

export type OwnSandbox = Readonly<{
  target: TestTarget;
  speed: number;
  stop(): Promise<void>;
}>;

export type OwnSandboxOptions = Readonly<{
  /** The compiled main.js of the sandbox. */
  program: string;
  env: NodeJS.ProcessEnv;
  /** How many times faster than in the specification its clocks run. */
  speed: number;
}>;

/**
 * Starts a sandbox from its compiled program, with an empty store. `stop` ends it and removes its
 * files.
 */
export async function startSandbox({
  program,
  env,
  speed,
}: OwnSandboxOptions): Promise<OwnSandbox> {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-conformance-'));
  const child = spawn(process.execPath, [program], {
    cwd: folder,
    env: {
      ...withoutSettings(env),
      BURSAR_SANDBOX_LISTEN: '127.0.0.1:0',
      BURSAR_SANDBOX_STORE_URL: `sqlite:${join(folder, 'sandbox.db')}`,
      BURSAR_SANDBOX_KEYS: `${KEY}:${SECRET}:${ACCOUNT}`,
      BURSAR_SANDBOX_SPEED: String(speed),
      BURSAR_SANDBOX_STEP_MS: String(STEP_REAL_MS * speed),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const baseUrl = await addressOf(child.stdout);
    const keys = { key: KEY, secret: SECRET, account: ACCOUNT };
    return {
      target: { ...keys, baseUrl, endpoints: DEFAULT_ENDPOINTS, shapes: {} },
      speed,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  let printed = '';
  for await (const part of output) {
    printed += String(part);
    const [address] = /http:\/\/\S+/.exec(printed) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error('the sandbox ended before it listened');
}

/** The sandbox's settings in the environment must not change the results. */
const withoutSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('BURSAR_')));
