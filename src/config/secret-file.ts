import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { BursarError, isBursarError } from '../domain/errors/bursar-error.ts';

/**
 * Reads a file that holds a secret alone; a line break at its end is dropped. Throws SECRET_FILE_OPEN unless its mode is 0600
 * or 0400, and SECRET_FILE_UNREADABLE.
 */
export function readSecretFile(file: string): string {
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
