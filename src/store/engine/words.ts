import type { RawBuilder } from 'kysely';
import type { Connection } from '../database/db.ts';
import type { Scopes } from './scopes.ts';

/** What is wrong with a store, and how to mend it. */
export type StoreFault = Readonly<{ what: string; fix: string }>;

/** Where a text stands that is no UTF-8. */
export type BadText = Readonly<{ table: string; column: string; rowid: number }>;

/** Everything in which the two engines differ, except how each is opened. */
export type Words = Readonly<{
  /** Names the writes that one transaction may hold. Writes with different names run at the same time. */
  groupOf(scopes: Scopes): string;
  /** Takes the locks of a write until the end of its transaction. */
  lock(tx: Connection, scopes: Scopes): Promise<void>;
  /** Takes more locks within the transaction of a write. In the order they come after those that the write has. */
  lockMore(tx: Connection, scopes: Scopes): Promise<void>;
  /** Numbers for `count` new audit entries, in order. `newest`: the largest number that the write sees. */
  entryNumbers(tx: Connection, newest: number, count: number): Promise<readonly number[]>;
  /** A statement of a migration in the words of the engine; undefined where it has nothing to do. */
  migration(statement: string): string | undefined;
  /** Sets the counters of numbered tables, once their rows were written with their numbers. */
  numbersAfterLoad(tx: Connection): Promise<void>;
  /** Whether the database has a table. */
  hasTable(name: string): RawBuilder<number | boolean>;
  /** What is wrong with a database that can be read. `nowMs`: the clock of this machine. */
  faults(db: Connection, nowMs: () => number): Promise<readonly StoreFault[]>;
  /** The first text of a batch that is not UTF-8; undefined when there is none. */
  findBadText(db: Connection, batchId: string): Promise<BadText | undefined>;
  /** Overwrites texts that were removed from rows. */
  erase(db: Connection): Promise<void>;
  /** Begins a transaction whose reads come from one moment. */
  beginSnapshot: string;
  /** The time in milliseconds since 1970: of the server, where there is one; else `ownMs`. */
  nowMs(ownMs: number): RawBuilder<number>;
}>;

/** The words of the engine of a connection or a transaction. */
export function wordsOf(db: Connection): Words {
  const adapter: object & { words?: Words } = db.getExecutor().adapter;
  if (adapter.words === undefined) throw new Error('this connection is of no engine of the store');
  return adapter.words;
}
