import type { SqliteDatabase } from 'kysely';

/** A database whose connection says whether a transaction is open on it. */
export interface Connected extends SqliteDatabase {
  readonly isInTransaction: () => boolean;
}

/**
 * A database that is opened anew after it was busy.
 *
 * SQLite leaves a statement that met SQLITE_BUSY half-way, so that it can be tried again, and libsql has no way to end it.
 * As long as it is there, the connection never ends another read: from then on all that is read is as old as that moment,
 * and nothing can be written any more. A statement is therefore run where it was prepared, and at once.
 */
export function withReopening(open: () => Connected): SqliteDatabase {
  let current: Connected | undefined = open();
  let wasBusy = false;

  /** Not within a transaction: what is left of it would be carried out alone. */
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

/** What SQLite calls an error; empty for what is none of SQLite's. */
export const sqliteCodeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
