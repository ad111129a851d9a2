import type { SqliteDatabase } from 'kysely';
import { BursarError } from '../../../domain/errors/bursar-error.ts';
import { sqliteCodeOf } from './reopening.ts';

type Statement = ReturnType<SqliteDatabase['prepare']>;

/** What SQLite calls trouble that passes without us; everything else is left as it is. */
const CODES = [
  ['SQLITE_FULL', 'STORE_FULL'],
  ['SQLITE_BUSY', 'STORE_BUSY'],
  // Other programs open or close the file at this moment, such as a restore.
  ['SQLITE_PROTOCOL', 'STORE_BUSY'],
] as const;

/** A database that throws errors of the catalogue when it is full, or locked by another process for too long. */
export function withTypedErrors(database: SqliteDatabase, url: string): SqliteDatabase {
  const typed = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (cause) {
      const code = storeCodeOf(cause);
      throw code === undefined ? cause : new BursarError(code, { url }, { cause });
    }
  };
  const wrap = (statement: Statement): Statement => ({
    reader: statement.reader,
    all: (parameters) => typed(() => statement.all(parameters)),
    run: (parameters) => typed(() => statement.run(parameters)),
    iterate: (parameters) => statement.iterate(parameters),
  });
  return {
    prepare: (text) => wrap(typed(() => database.prepare(text))),
    close: () => database.close(),
  };
}

/** SQLite adds to the name why it is so, as in SQLITE_BUSY_RECOVERY. */
export const storeCodeOf = (thrown: unknown) =>
  CODES.find(([name]) => sqliteCodeOf(thrown).startsWith(name))?.[1];
