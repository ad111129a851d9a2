import type { SqliteDatabase } from 'kysely';

/** A database connection with its transaction state. */
export interface Connected extends SqliteDatabase {
  readonly isInTransaction: () => boolean;
}

/**
 * A database that is reopened after it was busy. SQLite leaves a statement that met SQLITE_BUSY half-way, so that it
 * can be tried again, and libsql cannot end such a statement. While it is there, the connection never ends another
 * read: later reads return data of that moment, and no write succeeds. So each statement runs where it was prepared, at
 * once.
 */
export function withReopening(open: () => Connected): SqliteDatabase {
  let current: Connected | undefined = open();
  let wasBusy = false;

  /** Not within a transaction: its later statements would run alone. */
  const database = (): Connected => {
    if (wasBusy && current?.isInTransaction() !== true) {
      current?.close();
      current = undefined;
      wasBusy = false;
    }
    current ??= open();
    return current;
  };
  const watched = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      if (isBusy(error)) wasBusy = true;
      throw error;
    }
  };

  return {
    prepare(text) {
      const now = database();
      const statement = watched(() => now.prepare(text));
      return {
        reader: statement.reader,
        all: (parameters) => watched(() => statement.all(parameters)),
        run: (parameters) => watched(() => statement.run(parameters)),
        iterate: (parameters) => statement.iterate(parameters),
      };
    },
    close: () => current?.close(),
  };
}

const isBusy = (thrown: unknown): boolean => sqliteCodeOf(thrown).startsWith('SQLITE_BUSY');

/** The code that SQLite gives an error; empty for other errors. */
export const sqliteCodeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
