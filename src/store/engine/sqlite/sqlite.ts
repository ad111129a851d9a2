import {
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  Kysely,
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely';
import Database from 'libsql';
import { pathToFileURL } from 'node:url';
import { BursarError, isBursarError } from '../../../domain/errors/bursar-error.ts';
import { isStoreUrl, storeFile } from '../../../domain/store/store-url.ts';
import { createCheckpoints, type Checkpoints } from './checkpoints.ts';
import type { Connection } from '../../database/db.ts';
import { makeDatabasePrivate } from './private-files.ts';
import { type Connected, withReopening } from './reopening.ts';
import type { Schema } from '../../database/schema.ts';
import { withStatementCache } from './statement-cache.ts';
import { applyMigrations, refuseOtherVersion } from '../version.ts';
import { storeCodeOf, withTypedErrors } from './typed-errors.ts';
import { SQLITE_WORDS } from './words.ts';

/** SQLite's name for a database that is no file. */
const MEMORY = ':memory:';

/** How long a statement waits for another process to finish its transaction, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;
/** The value of `PRAGMA synchronous` that survives a loss of power. */
const SYNCHRONOUS_FULL = 2;

/** Opens (and makes, if need be) the database of a `sqlite:PATH` url, with every migration applied. @throws ADDRESS_UNSERVED, STORE_UNUSABLE, STORE_BUSY */
export async function openSqlite(url: string): Promise<Connection> {
  return (await openMigrated(url)).db;
}

/** Applies every migration, as each opening does, and returns the names of those that it applied. */
export async function migrateSqlite(url: string): Promise<readonly string[]> {
  const { db, applied } = await openMigrated(url);
  await db.destroy();
  return applied;
}

async function openMigrated(
  url: string,
): Promise<Readonly<{ db: Connection; applied: readonly string[] }>> {
  if (!isStoreUrl(url)) {
    throw new BursarError('ADDRESS_UNSERVED', { setting: 'store.url', url, served: 'sqlite:FILE' });
  }
  try {
    const db = new Kysely<Schema>({
      dialect: new ImmediateDialect(
        {
          database: withTypedErrors(
            withReopening(() => connected(openFile(url))),
            url,
          ),
        },
        createCheckpoints(storeFile(url)),
      ),
    });
    return { db, applied: await applyMigrations(db, url) };
  } catch (cause) {
    if (isBursarError(cause)) throw cause;
    throw unopened(cause, url);
  }
}

/** Opens an existing database of a `sqlite:PATH` url, in which SQLite refuses every write. @throws STORE_UNUSABLE, STORE_TOO_NEW, STORE_TOO_OLD */
export async function openSqliteReader(url: string): Promise<Connection> {
  const db = await openSqliteToCheck(url);
  try {
    await refuseOtherVersion(db, url);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Opens it for reading, whatever its version is. @throws STORE_UNUSABLE */
export async function openSqliteToCheck(url: string): Promise<Connection> {
  try {
    const database = withReopening(() => connected(openFileReader(url)));
    return new Kysely<Schema>({
      dialect: new WordedDialect({ database: withTypedErrors(database, url) }),
    });
  } catch (cause) {
    throw unopened(cause, url);
  }
}

function openFileReader(url: string): InstanceType<typeof Database> {
  // The driver has no option for this, and SQLite reads it from the URI of a file.
  const file = new Database(`${pathToFileURL(url.replace(/^sqlite:/, '')).href}?mode=ro`);
  file.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return file;
}

/** A file that others use passes without us; any other trouble is of the file. */
function unopened(cause: unknown, url: string): BursarError {
  const code = storeCodeOf(cause);
  if (code !== undefined) return new BursarError(code, { url }, { cause });
  return new BursarError('STORE_UNUSABLE', { url, reason: asError(cause).message }, { cause });
}

const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));

const connected = (file: InstanceType<typeof Database>): Connected => ({
  ...withStatementCache(file),
  isInTransaction: () => file.inTransaction,
});

function openFile(url: string): InstanceType<typeof Database> {
  const path = url.replace(/^sqlite:/, '');
  if (path !== MEMORY) makeDatabasePrivate(path);
  const file = new Database(path);
  file.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  file.pragma('journal_mode = WAL');
  // Checkpoints are made by checkpoints.ts alone.
  file.pragma('wal_autocheckpoint = 0');
  // Set at every open and then read back: some builds fall back to NORMAL when a WAL file is opened again.
  file.pragma('synchronous = FULL');
  const read = file.prepare('pragma synchronous').get() as { synchronous: number };
  if (read.synchronous !== SYNCHRONOUS_FULL) {
    throw new Error(`PRAGMA synchronous is ${read.synchronous} and not FULL`);
  }
  return file;
}

/**
 * Transactions start as writers. A reader that becomes a writer half-way fails at once when another process wrote in
 * between, with any busy time-out. A transaction that starts as a writer waits its turn.
 */
class ImmediateDriver extends SqliteDriver {
  readonly #checkpoints: Checkpoints;

  constructor(config: SqliteDialectConfig, checkpoints: Checkpoints) {
    super(config);
    this.#checkpoints = checkpoints;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
    this.#checkpoints.atBegin();
  }

  /** A full disk ends a transaction by itself. That nothing is left to undo must not hide why. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection).catch((error: unknown) => {
      if (!String(error).includes('no transaction is active')) throw error;
    });
  }
}

/** SQLite can undo changes of tables; migrations of two processes that start at once then wait for each other. */
class TransactionalAdapter extends SqliteAdapter {
  readonly words = SQLITE_WORDS;

  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class WordedDialect extends SqliteDialect {
  override createAdapter(): DialectAdapter {
    return new TransactionalAdapter();
  }
}

class ImmediateDialect extends WordedDialect {
  readonly #config: SqliteDialectConfig;
  readonly #checkpoints: Checkpoints;

  constructor(config: SqliteDialectConfig, checkpoints: Checkpoints) {
    super(config);
    this.#config = config;
    this.#checkpoints = checkpoints;
  }

  override createDriver(): Driver {
    return new ImmediateDriver(this.#config, this.#checkpoints);
  }
}
