import type { ShapeChoices } from '@bursar/merchant-api/spec';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { surelyTakenMs } from '../domain/sending/time-settings.ts';
import { readSecretFile } from './secret-file.ts';
import type { ApiSettings, Settings } from './settings.ts';
import { variableOf } from './sources.ts';

/** The api settings of a program that calls the service. */
export type ApiAccess = ApiSettings & Readonly<{ baseUrl: string; key: string; account: string }>;

/** The api settings, or SETTING_MISSING for the first one without which no call can be made. */
export function requireApi({ api }: Settings): ApiAccess {
  const { baseUrl, key, account } = api;
  return {
    ...api,
    baseUrl: baseUrl ?? missing('api.base_url'),
    key: key ?? missing('api.key'),
    account: account ?? missing('api.account'),
  };
}

/** Options of the client that every program of the engine gives it. */
export type ClientOptions = Readonly<{
  baseUrl: string;
  key: string;
  secret: string;
  account: string;
  endpoints: ApiSettings['endpoints'];
  shapes: ShapeChoices;
  requestTimeoutMs: number;
  timestampWindowMs: number;
}>;

/** How the client calls the service of the settings. Throws what `requireApi` and `readApiSecret` throw. */
export function clientOptions(settings: Settings): ClientOptions {
  const access = requireApi(settings);
  const { baseUrl, key, account, endpoints, requestTimeoutMs } = access;
  const { createRequires: _, ...shapes } = access.shapes;
  return {
    baseUrl,
    key,
    secret: readApiSecret(settings),
    account,
    endpoints,
    shapes,
    requestTimeoutMs,
    timestampWindowMs: surelyTakenMs(access),
  };
}

/**
 * Reads the API secret at the moment of its use. The file holds the secret alone; a line break at its end is dropped.
 * Throws SECRET_FILE_OPEN when its file is not private, SECRET_FILE_UNREADABLE, or SETTING_MISSING.
 */
export function readApiSecret({ api }: Settings): string {
  if (api.secretFile !== undefined) return readSecretFile(api.secretFile);
  return api.readSecretText?.() ?? missing('api.secret_file');
}

function missing(setting: string): never {
  throw new BursarError('SETTING_MISSING', { setting, variable: variableOf(setting) });
}
