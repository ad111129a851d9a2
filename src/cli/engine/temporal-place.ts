import type { ConnectionOptions } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { Env } from '../../config.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';

/** Where Temporal is, by `TEMPORAL_*` and the user's Temporal profile. Throws SETTINGS_INVALID. */
export function loadTemporalPlace(env: Env): {
  connectionOptions: ConnectionOptions;
  namespace: string | undefined;
} {
  const overrideEnvVars = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  try {
    const { connectionOptions, namespace } = loadClientConnectConfig({ overrideEnvVars });
    return { connectionOptions, namespace };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BursarError('SETTINGS_INVALID', { problems: `Temporal: ${reason}` }, { cause });
  }
}
