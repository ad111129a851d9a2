import { BursarError } from '../domain/errors/bursar-error.ts';
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
