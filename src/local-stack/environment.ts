import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../config.ts';
import { NAMESPACE } from './temporal/namespace.ts';

export type LocalTemporal = Readonly<{ address: string; dataDir: string }>;

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
export const localSandboxEnv = (env: Env, engineEnv: Env): Env => ({
  ...without(env, (variable) => variable === 'BURSAR_API_SECRET'),
  ...engineEnv,
});

const without = (env: Env, drop: (variable: string) => boolean): Env =>
  Object.fromEntries(Object.entries(env).filter(([variable]) => !drop(variable)));
