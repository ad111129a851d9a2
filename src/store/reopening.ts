import type Database from 'libsql';
import type { SqliteDatabase } from 'kysely';

type Libsql = InstanceType<typeof Database>;

/**
 * A database that is opened anew after it was busy.
 *
 * SQLite leaves a statement that met SQLITE_BUSY half-way, so that it can be tried again, and libsql has no way to end it.
 * As long as it is there, the connection never ends another read: from then on all that is read is as old as that moment,
 * and nothing can be written any more.
 */
export function withReopening(open: () => Libsql): SqliteDatabase {
  let current: Libsql | undefined = open();
  let wasBusy = false;

  /** Not within a transaction: what is left of it would be carried out alone. */
  const database = (): Libsql => {
    if (wasBusy && current?.inTransaction !== true) {
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
      let owner = database();
      let statement = watched(() => owner.prepare(text));
      const own = () => {
        const now = database();
        if (now !== owner) {
          statement = now.prepare(text);
          owner = now;
        }
        return statement;
      };
      return {
        reader: statement.reader,
        all: (parameters) => watched(() => own().all(parameters)),
        run: (parameters) => watched(() => own().run(parameters)),
        iterate: (parameters) => own().iterate(parameters),
      };
    },
    close: () => current?.close(),
  };
}

const isBusy = (thrown: unknown): boolean => sqliteCodeOf(thrown).startsWith('SQLITE_BUSY');

/** What SQLite calls an error; empty for what is none of SQLite's. */
export const sqliteCodeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
