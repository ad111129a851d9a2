import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Libsql from 'libsql';
import { SCHEMA, SCHEMA_VERSION } from './schema.ts';
import { ADDED_TABLES } from './tables/log.ts';

export type Database = Libsql.Database;

/** SQLite's number for `synchronous=FULL`: a committed transaction survives a loss of power. */
const SYNCHRONOUS_FULL = 2;

/** The store cannot be opened. The message contains the reason and the remedy. */
export class StoreUnusable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreUnusable';
  }
}

/**
 * Opens the file for this process alone. Creates the file and its folder when they are missing.
 * A temporary file is not written to the disk at each commit, so a loss of power may damage it.
 */
export function openDatabase(path: string, isTemporary = false): Database {
  mkdirSync(dirname(path), { recursive: true });
  const db = new Libsql(path);
  try {
    lock(db, path);
    if (isTemporary) db.exec('PRAGMA synchronous = OFF');
    else demandDurability(db);
    migrate(db, path);
    return db;
  } catch (cause) {
    db.close();
    throw cause;
  }
}

/** The operating system holds the lock, so it ends with the process in every case. */
function lock(db: Database, path: string): void {
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    db.exec('PRAGMA journal_mode = WAL');
    db.exec('BEGIN EXCLUSIVE; COMMIT');
  } catch (cause) {
    if (!isBusy(cause)) throw cause;
    const advice = 'Stop it, or set BURSAR_SANDBOX_STORE_URL to another file.';
    throw new StoreUnusable(`Another sandbox uses ${path}. ${advice}`, { cause });
  }
}

/** Closes the file at once. `close` alone waits until every statement is collected as garbage. */
export function closeDatabase(db: Database): void {
  // SQLite keeps an exclusive lock as long as a WAL exists.
  db.exec('PRAGMA journal_mode = DELETE');
  db.exec('PRAGMA locking_mode = NORMAL');
  // The next read releases the lock.
  readPragma(db, 'user_version');
  db.close();
}

/** Files that SQLite keeps beside its own. */
const COMPANIONS = ['', '-wal', '-shm', '-journal'] as const;

/** Removes the files of a closed database. */
export function removeDatabase(path: string): void {
  for (const end of COMPANIONS) rmSync(`${path}${end}`, { force: true });
}

function demandDurability(db: Database): void {
  db.exec('PRAGMA synchronous = FULL');
  const synchronous = readPragma(db, 'synchronous');
  const journal = readPragma(db, 'journal_mode');
  if (synchronous === SYNCHRONOUS_FULL && journal === 'wal') return;
  throw new StoreUnusable(
    `SQLite gave journal_mode=${String(journal)}, synchronous=${String(synchronous)}.`,
  );
}

function migrate(db: Database, path: string): void {
  const version = readPragma(db, 'user_version');
  if (version !== 0 && version !== SCHEMA_VERSION) {
    throw new StoreUnusable(
      `${path} has tables of version ${String(version)}; delete it to start afresh.`,
    );
  }
  if (version === 0) db.exec(`BEGIN; ${SCHEMA} COMMIT;`);
  db.exec(ADDED_TABLES);
}

function readPragma(db: Database, name: string): string | number | undefined {
  const [row] = db.prepare(`PRAGMA ${name}`).all() as Record<string, string | number>[];
  return row?.[name];
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';

/** Runs `work` in one transaction. An error rolls all of it back. Transactions do not nest. */
export function transaction<Result>(db: Database, work: () => Result): Result {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite may have rolled back already, when the disk is full for example.
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
