import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  PRIVATE_FILE_MODE,
  PRIVATE_FOLDER_MODE,
  PRIVATE_UMASK,
} from '../../../domain/files/private-modes.ts';

/** The file of a database, and the files that SQLite keeps beside it with its mode. */
export const databaseFiles = (path: string): readonly string[] =>
  ['', '-wal', '-shm', '-journal'].map((end) => `${path}${end}`);

/**
 * Makes the file of a database private before SQLite opens it, and takes the rights of others away. An existing file is
 * never opened here. Closing any descriptor of it drops every lock that this process holds on it (POSIX), and then two
 * writers of one store would write at once.
 */
export function makeDatabasePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER_MODE });
  makeIfMissing(path);
  for (const file of databaseFiles(path)) tighten(file);
}

function makeIfMissing(path: string): void {
  try {
    closeSync(openSync(path, 'wx', PRIVATE_FILE_MODE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Takes the bits of group and others from a file that is ours. That of another user stays as that user has it. */
function tighten(file: string): void {
  try {
    const { mode } = statSync(file);
    if ((mode & PRIVATE_UMASK) !== 0) chmodSync(file, mode & 0o777 & ~PRIVATE_UMASK);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ENOENT', 'EPERM', 'EROFS'].includes(code)) throw error;
  }
}
