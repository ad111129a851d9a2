import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApprover } from '../../bench/control/approver.ts';
import { S3_KEYS } from '../../bench/support/s3-server.ts';
import { localTemporalEnv } from '../../src/local-stack/plan.ts';
import type { Env } from '../../src/config.ts';

/** Minutes would make a run of days; what the fence protects from is the same with seconds. Milliseconds. */
export const TIMESTAMP_WINDOW_MS = 4_000;
const FENCE_MARGIN_MS = 3_000;
/** After that long nothing of a create can happen any more, whatever the clocks say; milliseconds. */
export const FENCE_MS = 2 * (TIMESTAMP_WINDOW_MS + FENCE_MARGIN_MS);
const SEND_BUDGET_MS = 1_500;
const REQUEST_TIMEOUT_MS = 4_000;
/** Slow enough that something is under way whenever a process is killed. */
const CREATE_DELAY_MS = 80;

const ACCOUNT = '0xc4a0500000000000000000000000000000000001';
const KEY = 'chaos-key';

export type Place = Readonly<{
  folder: string;
  /** The part of it that can be full. */
  disk: string;
  chunkRows: number;
  idempotency: string;
  storeUrl: string;
  blobUrl: string;
  /** The environment of whoever starts the run. */
  env: Env;
  ports: Readonly<{
    sandbox: number;
    bridge: number;
    secondBridge: number;
    /** Where the service sends its webhooks. */
    webhooks: number;
    /** Where the engine thinks that the service, and Temporal, listen. */
    serviceProxy: number;
    temporalProxy: number;
  }>;
}>;

export type ChaosSettings = ReturnType<typeof chaosSettings>;

/** Settings of every process of a run, its secrets, and who approves. */
export function chaosSettings({
  folder,
  disk,
  chunkRows,
  idempotency,
  storeUrl,
  blobUrl,
  env,
  ports,
}: Place) {
  const secret = `canary-${randomBytes(12).toString('hex')}`;
  const secretFile = join(folder, 'secrets', 'api-secret');
  const tokenFile = join(folder, 'secrets', 'bridge-token');
  const token = randomBytes(32).toString('base64url');
  mkdirSync(join(folder, 'secrets'), { mode: 0o700 });
  for (const [file, text] of [
    [secretFile, secret],
    [tokenFile, token],
  ] as const) {
    writeFileSync(file, text, { mode: 0o600 });
  }
  const approver = createApprover(join(folder, 'secrets'));
  const temporalAddress = `127.0.0.1:${ports.temporalProxy}`;
  const engine: Env = {
    ...localTemporalEnv(cleanEnv(env), { address: temporalAddress, dataDir: folder }),
    ...approver.env,
    ...S3_KEYS,
    BURSAR_API_BASE_URL: `http://127.0.0.1:${ports.serviceProxy}`,
    BURSAR_API_KEY: KEY,
    BURSAR_API_SECRET_FILE: secretFile,
    BURSAR_API_ACCOUNT: ACCOUNT,
    BURSAR_API_TIMESTAMP_WINDOW_MS: String(TIMESTAMP_WINDOW_MS),
    BURSAR_API_FENCE_MARGIN_MS: String(FENCE_MARGIN_MS),
    BURSAR_API_SEND_BUDGET_MS: String(SEND_BUDGET_MS),
    BURSAR_API_REQUEST_TIMEOUT_MS: String(REQUEST_TIMEOUT_MS),
    BURSAR_STORE_URL: storeUrl,
    BURSAR_BLOB_URL: blobUrl,
    BURSAR_REPORT_DIR: join(disk, 'runs'),
    BURSAR_BATCH_CHUNK_ROWS: String(chunkRows),
    BURSAR_BATCH_CHUNKS_IN_FLIGHT: '4',
    BURSAR_POLL_MIN_MS: '500',
    BURSAR_POLL_MAX_MS: '3000',
    BURSAR_BRIDGE_LISTEN: `127.0.0.1:${ports.bridge}`,
    BURSAR_BRIDGE_TOKEN_FILE: tokenFile,
    NO_COLOR: '1',
  };
  const sandbox: Env = {
    ...cleanEnv(env),
    BURSAR_SANDBOX_LISTEN: `127.0.0.1:${ports.sandbox}`,
    BURSAR_SANDBOX_STORE_URL: `sqlite:${join(folder, 'sandbox.db')}`,
    BURSAR_SANDBOX_KEYS: `${KEY}:${secret}:${ACCOUNT}`,
    BURSAR_SANDBOX_BALANCES: JSON.stringify({ USDT_TRC20: '100000000', USDC_ERC20: '100000000' }),
    BURSAR_SANDBOX_STEP_MS: '300',
    BURSAR_SANDBOX_SPEED: '1',
    BURSAR_SANDBOX_TIMESTAMP_WINDOW_MS: String(TIMESTAMP_WINDOW_MS),
    BURSAR_SANDBOX_DELAY_MS_CREATE: String(CREATE_DELAY_MS),
    BURSAR_SANDBOX_IDEMPOTENCY: idempotency,
    BURSAR_SANDBOX_WEBHOOK_URL: `http://127.0.0.1:${ports.webhooks}/hooks/${token}`,
  };
  const secondBridge: Env = {
    ...engine,
    BURSAR_BRIDGE_LISTEN: `127.0.0.1:${ports.secondBridge}`,
  };
  const canaries = { 'the API secret': secret, 'the token of the bridge': token };
  return { engine, secondBridge, sandbox, approver, canaries, account: ACCOUNT };
}

/** The environment that a program needs from the user who starts the run, without that user's settings. */
export const cleanEnv = (env: Env): Env =>
  Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR', 'BURSAR_TEMPORAL_CLI'].flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
