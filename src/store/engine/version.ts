import { Migrator, sql } from 'kysely';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { maskedUrl } from '../../domain/text/masked-url.ts';
import type { Connection } from '../database/db.ts';
import { migrationProvider } from '../database/migrations.ts';
import { wordsOf } from './words.ts';

/**
 * How the name of a migration ends that only adds: a table, an index, or a column with a default. Programs of the release before
 * go on with a store that has it.
 */
const EXPANDS = /-expand$/;

/** The migrations that a store has and that this version has. */
type Version = Readonly<{
  /** Those that this version does not have, and that its programs cannot work with. */
  tooNew: readonly string[];
  /** Those that the store lacks. */
  missing: readonly string[];
}>;

export async function versionOf(db: Connection): Promise<Version> {
  const applied = await appliedMigrations(db);
  const own = Object.keys(await migrationProvider(wordsOf(db)).getMigrations());
  return {
    tooNew: applied.filter((name) => !own.includes(name) && !EXPANDS.test(name)),
    missing: own.filter((name) => !applied.includes(name)),
  };
}

/** The names of the changes that a store has, in their order. */
export async function appliedMigrations(db: Connection): Promise<readonly string[]> {
  const has = await sql<{ has: number | boolean }>`
    select ${wordsOf(db).hasTable('kysely_migration')} as has`.execute(db);
  const [found] = has.rows;
  // One engine has no type for true.
  if (found === undefined || Number(found.has) === 0) return [];
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** @throws STORE_TOO_NEW, STORE_TOO_OLD */
export async function refuseOtherVersion(db: Connection, url: string): Promise<void> {
  const { missing } = await refuseNewer(db, url);
  const [first] = missing;
  if (first === undefined) return;
  throw new BursarError('STORE_TOO_OLD', { url: maskedUrl(url), lacks: first });
}

async function refuseNewer(db: Connection, url: string): Promise<Version> {
  const version = await versionOf(db);
  const [first] = version.tooNew;
  if (first === undefined) return version;
  throw new BursarError('STORE_TOO_NEW', { url: maskedUrl(url), has: first });
}

/** Applies the migrations that the store lacks, and returns their names. @throws STORE_TOO_NEW */
export async function applyMigrations(
  db: Connection,
  url: string,
  migrationTableSchema?: string,
): Promise<readonly string[]> {
  const { missing } = await refuseNewer(db, url);
  if (missing.length === 0) return [];
  const migrator = new Migrator({
    db,
    provider: migrationProvider(wordsOf(db)),
    // The names have numbers of one length. The default comparison of texts loads the tables of every language.
    nameComparator: (a, b) => (a < b ? -1 : 1),
    ...(migrationTableSchema !== undefined && { migrationTableSchema }),
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error instanceof Error) throw error;
  if (error !== undefined) throw new Error('a change of the tables failed', { cause: error });
  return results.map(({ migrationName }) => migrationName);
}
