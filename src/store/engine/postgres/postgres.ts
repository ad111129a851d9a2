import {
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  sql,
} from 'kysely';
import { isBursarError } from '../../../domain/errors/bursar-error.ts';
import type { Connection } from '../../database/db.ts';
import type { Schema } from '../../database/schema.ts';
import { applyMigrations, refuseOtherVersion } from '../version.ts';
import { createPool, type PoolOptions } from './pool.ts';
import { POSTGRES_WORDS } from './words.ts';

const WRITER: PoolOptions = { max: 10, isReader: false, isPatient: false };
/** All reads of a snapshot use one connection. */
const READER: PoolOptions = { max: 1, isReader: true, isPatient: false };
const MIGRATION: PoolOptions = { max: 1, isReader: false, isPatient: true };

/** Opens the database of a `postgres://` url. @throws STORE_UNREACHABLE, STORE_TOO_NEW, STORE_TOO_OLD */
export const openPostgres = (url: string): Promise<Connection> => opened(url, WRITER);

/** Opens it so that the server refuses every write. @throws STORE_UNREACHABLE, STORE_TOO_NEW, STORE_TOO_OLD */
export const openPostgresReader = (url: string): Promise<Connection> => opened(url, READER);

/** Opens it for reading, whatever its version is. @throws STORE_UNREACHABLE */
export const openPostgresToCheck = async (url: string): Promise<Connection> =>
  connected(url, READER);

/** Makes or changes the tables. Two calls at once follow each other. @throws STORE_UNREACHABLE, STORE_TOO_NEW */
export async function migratePostgres(url: string): Promise<readonly string[]> {
  const db = connected(url, MIGRATION);
  try {
    const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(db);
    // Kysely searches every schema for its tables otherwise.
    return await applyMigrations(db, url, rows[0]?.name ?? 'public');
  } finally {
    await db.destroy();
  }
}

async function opened(url: string, options: PoolOptions): Promise<Connection> {
  const db = connected(url, options);
  try {
    await refuseOtherVersion(db, url);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

const connected = (url: string, options: PoolOptions): Connection =>
  new Kysely<Schema>({ dialect: new WordedDialect({ pool: createPool(url, options) }) });

class WordedAdapter extends PostgresAdapter {
  readonly words = POSTGRES_WORDS;
}

class WordedDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new QuietDriver(this.#config);
  }

  override createAdapter(): DialectAdapter {
    return new WordedAdapter();
  }
}

class QuietDriver extends PostgresDriver {
  /** The server undoes the transaction of a lost connection. That nothing is left to undo must not hide why. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection).catch((error: unknown) => {
      if (!isBursarError(error)) throw error;
    });
  }
}
