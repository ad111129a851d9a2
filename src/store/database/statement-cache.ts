import type { SqliteDatabase } from 'kysely';

/** Statements that are kept ready, and how long their text may be: the many forms of bulk inserts are not worth it. */
const STATEMENTS_MAX = 200;
const TEXT_LENGTH_MAX = 2_000;

/** A database that prepares each statement once: to prepare costs as much as to run. */
export function withStatementCache(database: SqliteDatabase): SqliteDatabase {
  const ready = new Map<string, ReturnType<SqliteDatabase['prepare']>>();
  return {
    prepare(text) {
      const statement = ready.get(text) ?? database.prepare(text);
      if (text.length > TEXT_LENGTH_MAX) return statement;
      // The one that was used last is at the end.
      ready.delete(text);
      ready.set(text, statement);
      const [oldest] = ready.keys();
      if (ready.size > STATEMENTS_MAX && oldest !== undefined) ready.delete(oldest);
      return statement;
    },
    close() {
      ready.clear();
      database.close();
    },
  };
}
