import { isPostgresUrl } from '../../domain/store/store-url.ts';
import type { Connection } from '../database/db.ts';
import { migrateSqlite, openSqlite, openSqliteReader, openSqliteToCheck } from './sqlite/sqlite.ts';

/** The driver of PostgreSQL is loaded only where it is used. */
const loadPostgres = () => import('./postgres/postgres.ts');

/** Opens the database of a store with every migration applied. @throws ADDRESS_UNSERVED, STORE_UNUSABLE, STORE_TOO_NEW, STORE_TOO_OLD */
export const openConnection = async (url: string): Promise<Connection> =>
  isPostgresUrl(url) ? (await loadPostgres()).openPostgres(url) : openSqlite(url);

/** Makes the tables of a store, or changes them to those of this version. Returns the names of the changes. @throws STORE_TOO_NEW */
export async function migrate(url: string): Promise<readonly string[]> {
  if (isPostgresUrl(url)) return (await loadPostgres()).migratePostgres(url);
  return migrateSqlite(url);
}

/** Opens an existing database of any version for reading. @throws STORE_UNUSABLE, STORE_UNREACHABLE */
export const openToCheck = async (url: string): Promise<Connection> =>
  isPostgresUrl(url) ? (await loadPostgres()).openPostgresToCheck(url) : openSqliteToCheck(url);

/** Opens an existing database, in which the engine refuses every write. @throws STORE_UNUSABLE */
export const openReader = async (url: string): Promise<Connection> =>
  isPostgresUrl(url) ? (await loadPostgres()).openPostgresReader(url) : openSqliteReader(url);
