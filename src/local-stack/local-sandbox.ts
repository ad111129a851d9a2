import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Env, makePrivateFile, readSecretFile, type Settings } from '../config.ts';
import { OPERATIONS } from '@bursar/merchant-api/spec';
import { listenText, localUrl, type Place } from './stack-ports.ts';

/** How the local stack introduces itself to its own sandbox. */
const KEY = 'bursar-local';
const SECRET_SIZE_BYTES = 32;
const ACCOUNT = '0xb0b0000000000000000000000000000000000001';

export type LocalSandbox = Readonly<{
  /** What makes the engine, and commands, use this sandbox. */
  engineEnv: Env;
  /** What makes the sandbox accept the engine and send it webhooks. */
  sandboxEnv(webhookUrl: string): Env;
}>;

export type LocalSandboxOptions = Readonly<{
  dataDir: string;
  place: Place;
  /** Environment of the whole stack. */
  env: Env;
  settings: Settings;
}>;

/**
 * Key, account and a secret of its own for the local sandbox; the secret is made once, in a file of mode 0600. The rest of the
 * sandbox's settings is its own to read.
 */
export function describeLocalSandbox(options: LocalSandboxOptions): LocalSandbox {
  const { dataDir, place, env, settings } = options;
  const secretFile = join(dataDir, 'sandbox-secret');
  const secret = readOrMakeSecret(secretFile);
  const otherKeys = settings.sandbox.keys?.();
  return {
    engineEnv: {
      BURSAR_API_BASE_URL: localUrl(place),
      BURSAR_API_KEY: KEY,
      BURSAR_API_ACCOUNT: ACCOUNT,
      BURSAR_API_SECRET_FILE: secretFile,
      ...listenEnv(options),
      ...endpointsEnv(options),
    },
    sandboxEnv: (webhookUrl) => ({
      ...env,
      BURSAR_SANDBOX_LISTEN: listenText(place),
      BURSAR_SANDBOX_KEYS: `${KEY}:${secret}:${ACCOUNT}${otherKeys === undefined ? '' : `,${otherKeys}`}`,
      BURSAR_SANDBOX_WEBHOOK_URL: webhookUrl,
    }),
  };
}

/** The address of the sandbox, when that of the settings was taken. */
function listenEnv({ place, settings }: LocalSandboxOptions): Env {
  const listen = listenText(place);
  return listen === listenText(settings.sandbox.listen) ? {} : { BURSAR_SANDBOX_LISTEN: listen };
}

/** The paths of the sandbox, where the engine has others. */
const endpointsEnv = ({ settings: { api, sandbox } }: LocalSandboxOptions): Env =>
  Object.fromEntries(
    OPERATIONS.filter((operation) => api.endpoints[operation] !== sandbox.endpoints[operation]).map(
      (operation) => [`BURSAR_API_ENDPOINT_${operation}`, sandbox.endpoints[operation]],
    ),
  );

/** Of two stacks at once, one makes it. */
function readOrMakeSecret(file: string): string {
  makePrivateFile(file, randomBytes(SECRET_SIZE_BYTES).toString('hex'));
  return readSecretFile(file);
}
