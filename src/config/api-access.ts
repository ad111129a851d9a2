import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { BursarError, isBursarError } from '../domain/errors/bursar-error.ts';
import type { ApiSettings, Settings } from './settings.ts';
import { variableOf } from './sources.ts';

/** The api settings of somebody who can call the service. */
export type ApiAccess = ApiSettings & Required<Pick<ApiSettings, 'baseUrl' | 'key' | 'account'>>;

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
 * Throws SECRET_FILE_OPEN unless its mode is 0600 or 0400, SECRET_FILE_UNREADABLE, or SETTING_MISSING.
 */
export function readApiSecret({ api }: Settings): string {
  if (api.secretFile !== undefined) return readSecretFile(api.secretFile);
  return api.readSecretText?.() ?? missing('api.secret_file');
}

function readSecretFile(file: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    // The open file is asked, not the path, which could lead elsewhere by now.
    refuseOpenMode(file, fstatSync(descriptor).mode);
    return readFileSync(descriptor, 'utf8').replace(/\r?\n$/, '') || refuseEmpty(file);
  } catch (cause) {
    if (isBursarError(cause)) throw cause;
    throw unreadable(file, (cause as NodeJS.ErrnoException).code ?? 'unknown reason', cause);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Bits that neither 0600 nor 0400 has. */
const FORBIDDEN_MODE_BITS = 0o177;

function refuseOpenMode(file: string, mode: number): void {
  if ((mode & FORBIDDEN_MODE_BITS) === 0) return;
  throw new BursarError('SECRET_FILE_OPEN', {
    file,
    mode: (mode & 0o777).toString(8).padStart(4, '0'),
  });
}

function refuseEmpty(file: string): never {
  throw unreadable(file, 'it is empty');
}

const unreadable = (file: string, reason: string, cause?: unknown) =>
  new BursarError('SECRET_FILE_UNREADABLE', { file, reason }, { cause });

function missing(setting: string): never {
  throw new BursarError('SETTING_MISSING', { setting, variable: variableOf(setting) });
}
