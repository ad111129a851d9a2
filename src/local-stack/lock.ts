import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'libsql';
import { PRIVATE_FOLDER_MODE } from '../domain/files/private-modes.ts';
import { BursarError } from '../domain/errors/bursar-error.ts';

export type Lock = Readonly<{
  /** Lets the next one in. May be called again. */
  release(): void;
}>;

/** Lets only one stack work in a data folder: two Temporal servers on one database would take work from each other. @throws STACK_RUNNING */
export function lockFolder(folder: string): Lock {
  const lock = takeLock(join(folder, 'stack.lock'), 0);
  if (lock === undefined) throw new BursarError('STACK_RUNNING', { folder });
  return lock;
}

/** Longer than any change of a small file takes. */
const WAIT_MS = 10_000;

/**
 * Makes one change of a file after the other, of all processes of this machine. `FILE.lock` beside the file stays there.
 * @throws FILE_BUSY, and what `change` throws
 */
export function whileLocked<Result>(file: string, change: () => Result): Result {
  mkdirSync(dirname(file), { recursive: true, mode: PRIVATE_FOLDER_MODE });
  const lock = takeLock(`${file}.lock`, WAIT_MS);
  if (lock === undefined) throw new BursarError('FILE_BUSY', { file });
  try {
    return change();
  } finally {
    lock.release();
  }
}

/**
 * A lock is an open transaction on a small SQLite file. The operating system ends it with the process, in any way that ends, so no
 * lock is ever left behind. Undefined: another process has it.
 */
function takeLock(path: string, timeout: number): Lock | undefined {
  const database = new Database(path, { timeout });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    if (isBusy(cause)) return undefined;
    throw cause;
  }
  return {
    release() {
      if (database.open) database.close();
    },
  };
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
