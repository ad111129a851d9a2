import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { BursarError, isBursarError } from '../domain/errors/bursar-error.ts';
import { isPrivate, type ProcessIds } from '../domain/files/private-modes.ts';

/** What to throw of a file that should be private: `mode` in octal, `reason` in words that hold nothing of the file. */
export type PrivateFileErrors = Readonly<{
  open(mode: string): BursarError;
  unreadable(reason: string, cause?: unknown): BursarError;
}>;

/** A secret is no program. */
const EXECUTE_BITS = 0o111;
/** Far above every file of keys, tokens or secrets. */
const FILE_BYTES_MAX = 65_536;

/** The user and the groups of this process. A system without such ids has no groups either. */
export const processIds = (): ProcessIds => ({
  uid: process.geteuid?.() ?? -1,
  groups: [...(process.getgroups?.() ?? []), process.getegid?.() ?? -1],
});

/**
 * Reads a file that is for this program alone; every secret is read by this function. Throws `errors.open` unless its
 * mode is 0600 or 0400, or 0440 or 0640 where root hands the file to a group of this process (`isPrivate`). Throws
 * `errors.unreadable` for a missing file, for anything but a file, and above 64 KiB.
 */
export function readPrivateFile(file: string, errors: PrivateFileErrors): string {
  let descriptor: number | undefined;
  try {
    // A pipe would otherwise be waited for.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    // The mode is that of the open file: the path could lead elsewhere by now.
    const about = fstatSync(descriptor);
    if (!about.isFile()) throw errors.unreadable('it is not a file');
    const isForUs = isPrivate(about, processIds()) && (about.mode & EXECUTE_BITS) === 0;
    if (!isForUs) throw errors.open(octal(about.mode));
    if (about.size > FILE_BYTES_MAX) throw errors.unreadable('it is too large');
    return readFileSync(descriptor, 'utf8');
  } catch (cause) {
    if (isBursarError(cause)) throw cause;
    throw errors.unreadable((cause as NodeJS.ErrnoException).code ?? 'unknown reason', cause);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * Reads a file that holds a secret alone; a line break at its end is dropped. Throws SECRET_FILE_OPEN, as `readPrivateFile`
 * has it, and SECRET_FILE_UNREADABLE.
 */
export function readSecretFile(file: string): string {
  const errors: PrivateFileErrors = {
    open: (mode) => new BursarError('SECRET_FILE_OPEN', { file, mode }),
    unreadable: (reason, cause) =>
      new BursarError('SECRET_FILE_UNREADABLE', { file, reason }, { cause }),
  };
  const secret = readPrivateFile(file, errors).replace(/\r?\n$/, '');
  if (secret === '') throw errors.unreadable('it is empty');
  return secret;
}

/** The lines of a private file that are not empty, without blanks around them. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0');
