import type { SqliteDatabase } from 'kysely';

/** Statements that are kept ready, and how long their text may be: bulk inserts of an ingest have forms that come once. */
const STATEMENTS_MAX = 600;
const TEXT_LENGTH_MAX = 4_000;

type Statement = ReturnType<SqliteDatabase['prepare']>;

/** A database that prepares each statement once: to prepare costs as much as to run. */
export function withStatementCache(database: SqliteDatabase): SqliteDatabase {
  const ready = new Map<string, Statement>();
  return {
    prepare(text) {
      const statement = ready.get(text) ?? withReaderOnce(database.prepare(text));
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

/** The statement with `reader` as a plain value: the driver reads it from SQLite at each use. */
const withReaderOnce = (statement: Statement): Statement => ({
  reader: statement.reader,
  all: (parameters) => statement.all(parameters),
  run: (parameters) => statement.run(parameters),
  iterate: (parameters) => statement.iterate(parameters),
});
