import { join } from 'node:path';
import Database from 'libsql';
import { BursarError } from '../domain/errors/bursar-error.ts';

export type Lock = Readonly<{
  /** Lets the next one in. May be called again. */
  release(): void;
}>;

/**
 * Lets only one stack work in a data folder: two Temporal servers on one database would take work from each other. The
 * lock is an open transaction on a small SQLite file. The operating system ends it with the process, in any way that
 * ends, so no lock is ever left behind. Throws STACK_RUNNING.
 */
export function lockFolder(folder: string): Lock {
  const database = new Database(join(folder, 'stack.lock'));
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    if (!isBusy(cause)) throw cause;
    throw new BursarError('STACK_RUNNING', { folder }, { cause });
  }
  return {
    release() {
      if (database.open) database.close();
    },
  };
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
