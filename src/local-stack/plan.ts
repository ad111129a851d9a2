import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Env, readBridgeTokens } from '../config.ts';
import { type LocalEncryption, prepareEncryption, ringFileOf } from './local-encryption.ts';
import { describeLocalSandbox } from './local-sandbox.ts';
import type { StackAddresses, StackOptions } from './options.ts';
import { chooseStackPorts, listenText, localUrl, type Place } from './stack-ports.ts';
import type { TemporalPorts } from './temporal/command.ts';
import { NAMESPACE } from './temporal/namespace.ts';

/** The decisions before the first process starts. */
export type StackPlan = Readonly<{
  temporalPorts: TemporalPorts;
  addresses: StackAddresses;
  /** Environment of worker and bridge, and of commands that talk to this stack. */
  env: Env;
  /** Environment of the sandbox, when there is one; call it once the bridge has made its token. */
  sandboxEnv?: () => Env;
  /** Where the web UI has payloads decrypted, when they are encrypted. A secret: it holds a token. */
  uiCodecEndpoint?: string;
}>;

/**
 * Chooses ports and addresses, and from them the environment of every process. Throws PORT_TAKEN, and the errors of
 * {@link prepareEncryption}.
 */
export async function planStack(options: StackOptions, dataDir: string): Promise<StackPlan> {
  const ringFile = ringFileOf(options, dataDir);
  const ports = await chooseStackPorts(options, ringFile !== undefined);
  const encryption = encryptionOf(options, { ringFile, place: ports.codecServer });
  const addresses = {
    temporal: `127.0.0.1:${ports.temporal.grpc}`,
    ui: `http://127.0.0.1:${ports.temporal.ui}`,
    bridge: localUrl(ports.bridge),
    ...(ports.codecServer && { codecServer: localUrl(ports.codecServer) }),
  };
  const env = {
    ...localTemporalEnv(options.env, { address: addresses.temporal, dataDir }),
    BURSAR_BRIDGE_LISTEN: listenText(ports.bridge),
    ...uiEnv(addresses.ui, options.settings),
    ...encryption?.engineEnv,
  };
  const plan = {
    temporalPorts: ports.temporal,
    addresses,
    env,
    ...(encryption && { uiCodecEndpoint: encryption.uiEndpoint }),
  };
  if (ports.sandbox === undefined) return plan;

  const { settings } = options;
  const sandbox = describeLocalSandbox({ dataDir, place: ports.sandbox, env, settings });
  return {
    ...plan,
    addresses: { ...addresses, sandbox: localUrl(ports.sandbox) },
    env: localSandboxEnv(env, sandbox.engineEnv),
    sandboxEnv: () => sandbox.sandboxEnv(webhookUrl(addresses.bridge, settings.bridge.tokenFile)),
  };
}

type Found = Readonly<{ ringFile: string | undefined; place: Place | undefined }>;

const encryptionOf = (
  options: StackOptions,
  { ringFile, place }: Found,
): LocalEncryption | undefined =>
  ringFile !== undefined && place !== undefined
    ? prepareEncryption(options, { ringFile, place })
    : undefined;

/** The address of this stack's pages, when that of the settings differs. */
const uiEnv = (ui: string, { temporal }: StackOptions['settings']): Env =>
  ui === temporal.uiUrl ? {} : { BURSAR_TEMPORAL_UI_URL: ui };

/** While one token follows another there are two. */
function webhookUrl(bridge: string, tokenFile: string): string {
  const [token = ''] = readBridgeTokens(tokenFile);
  return `${bridge}/hooks/${token}`;
}

type LocalTemporal = Readonly<{ address: string; dataDir: string }>;

/**
 * The environment for all programs that use a local Temporal. The user's own Temporal profile (its key, its TLS) must
 * not reach a local server. So `TEMPORAL_*` is dropped, and a `temporal.toml` of the stack replaces the user's.
 */
export function localTemporalEnv(env: Env, { address, dataDir }: LocalTemporal): Env {
  const profile = join(dataDir, 'temporal.toml');
  writeFileSync(profile, `[profile.default]\naddress = "${address}"\nnamespace = "${NAMESPACE}"\n`);
  return {
    ...without(env, (variable) => variable.startsWith('TEMPORAL_')),
    TEMPORAL_CONFIG_FILE: profile,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: NAMESPACE,
  };
}

/** The environment for an engine that talks to the local sandbox; the secret of a real service is left out of it. */
const localSandboxEnv = (env: Env, engineEnv: Env): Env => ({
  ...without(env, (variable) => variable === 'BURSAR_API_SECRET'),
  ...engineEnv,
});

const without = (env: Env, drop: (variable: string) => boolean): Env =>
  Object.fromEntries(Object.entries(env).filter(([variable]) => !drop(variable)));
