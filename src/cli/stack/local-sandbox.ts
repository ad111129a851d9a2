import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../../config.ts';
import { listenText, localUrl, type Place } from './stack-ports.ts';

/** How the local stack introduces itself to its own sandbox. */
const KEY = 'bursar-local';
const ACCOUNT = '0xb0b0000000000000000000000000000000000001';

export type LocalSandbox = Readonly<{
  /** What makes the engine use this sandbox. */
  engineEnv: Env;
  /** What makes the sandbox accept the engine and send it webhooks. */
  sandboxEnv(webhookUrl: string): Env;
}>;

export type LocalSandboxOptions = Readonly<{ dataDir: string; place: Place; env: Env }>;

/** Key, account and a secret of its own for the local sandbox. The secret is made once, in a file of mode 0600. */
export function describeLocalSandbox({ dataDir, place, env }: LocalSandboxOptions): LocalSandbox {
  const secretFile = join(dataDir, 'sandbox-secret');
  const secret = readOrMakeSecret(secretFile);
  const otherKeys = env['BURSAR_SANDBOX_KEYS'];
  return {
    engineEnv: {
      BURSAR_API_BASE_URL: localUrl(place),
      BURSAR_API_KEY: KEY,
      BURSAR_API_ACCOUNT: ACCOUNT,
      BURSAR_API_SECRET_FILE: secretFile,
    },
    sandboxEnv: (webhookUrl) => ({
      BURSAR_SANDBOX_STORE_URL: `sqlite:${join(dataDir, 'sandbox.db')}`,
      ...env,
      BURSAR_SANDBOX_LISTEN: listenText(place),
      BURSAR_SANDBOX_KEYS: `${KEY}:${secret}:${ACCOUNT}${otherKeys ? `,${otherKeys}` : ''}`,
      BURSAR_SANDBOX_WEBHOOK_URL: webhookUrl,
    }),
  };
}

function readOrMakeSecret(file: string): string {
  try {
    writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8');
}
