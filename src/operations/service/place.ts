import { isLoopbackUrl, PROFILE_VARIABLE, type Env, type Settings } from '../../config.ts';
import { environmentOf, type ServicePlace } from '../../domain/service/place.ts';
import { maskedUrl } from '../../domain/text/masked-url.ts';
import { loadSettings } from '../batch/sources.ts';
import type { OperationContext } from '../context.ts';

/** The place as programs get it. `version`: that of Bursar. */
export type ShownPlace = ServicePlace & Readonly<{ schema: 'bursar.place/v1'; version: string }>;

/** Returns the service and the account of the settings. Asks nothing over the network. @throws SETTINGS_INVALID */
export async function readPlace(context: OperationContext): Promise<ShownPlace> {
  const settings = await loadSettings(context);
  return {
    schema: 'bursar.place/v1',
    ...placeOf(settings, context.env),
    version: context.version,
  };
}

/** The service and the account of these settings. */
export function placeOf({ api }: Settings, env: Env): ServicePlace {
  const { baseUrl, account, environment: declared } = api;
  return {
    environment: environmentOf({
      declared,
      isLoopback: baseUrl !== undefined && isLoopbackUrl(baseUrl),
    }),
    service: baseUrl === undefined ? null : maskedUrl(baseUrl),
    account: account ?? null,
    profile: env[PROFILE_VARIABLE] || null,
  };
}
