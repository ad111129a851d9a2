import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_ENDPOINTS } from '@bursar/merchant-api/spec';
import type { Target } from './options.ts';
import type { Payment } from './run.ts';

const [KEY, SECRET] = ['conformance-key', 'conformance-secret'];
const ACCOUNT = '0xc0f0000000000000000000000000000000000001';

/** So quick that the first retry of a webhook, due after 30 seconds, comes within one. */
export const SPEED = 30;

/** So quick that the last retry of a webhook, due after 91 hours, comes within eleven seconds. */
export const SPEED_HURRIED = 30_000;

/** Milliseconds between two states, which leaves time to look. */
const STEP_REAL_MS = 100;

/** Addresses of the sandbox's README. */
export const SANDBOX_PAYMENT: Payment = {
  currency: 'USDT_TRC20',
  amount: '1.5',
  address: 'TWGd9ia8Q5mkXwLfvGK2YWHkMu2FPmt1DK',
  failingAddress: 'TWGd9ia8QGPbt6S7kpswnKTQMPAf8j5bi3',
  invalidAddress: 'TWGd9ia8Qzs1Giou759cja82KKkJGRLeuc',
};

export type OwnSandbox = Readonly<{
  target: Target;
  speed: number;
  stop(): Promise<void>;
}>;

export type OwnSandboxOptions = Readonly<{
  /** Its compiled main.js. */
  program: string;
  env: NodeJS.ProcessEnv;
  /** How many times faster than the specification says time passes in it. */
  speed: number;
}>;

/** Starts a sandbox by its compiled program, with an empty store; `stop` ends it and removes what it wrote. */
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
      target: { ...keys, baseUrl, endpoints: DEFAULT_ENDPOINTS },
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

/** Settings of whoever runs this must not change what is tried. */
const withoutSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('BURSAR_')));
