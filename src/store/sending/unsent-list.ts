import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'libsql';
import { makeDatabasePrivate } from '../database/private-files.ts';
import { sqliteCodeOf } from '../database/reopening.ts';
import { storeFile } from '../database/sqlite.ts';
import type { ChunkRef } from './send-records.ts';

/** How long a process waits for another one that reads its new list, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;
const MEMORY = ':memory:';

/** An attempt on a list. `id` names this one alone, also where its key and number come again in a restored store. */
export type UnsentAttempt = Readonly<{ id: string; at: ChunkRef; n: number }>;

/**
 * The attempts that one process has begun and not sent, in a file of its own beside the store.
 *
 * An attempt is committed before its request leaves. When the worker is killed between the two, the store alone cannot show
 * whether the request left, so the chunk waits until the service can no longer accept it. The list shows that it did not leave.
 * Example: a worker is killed right after the commit of attempt 1 of chunk 7. The next worker finds the attempt on the list,
 * ends it as NOT_SENT, and sends the chunk at once.
 *
 * Three facts make this a proof:
 * - An attempt leaves the list before the first byte of its request leaves.
 * - A process holds the lock of its list until it ends. So a list that others can read belongs to a process that ended.
 * - A list counts on the boot of its process alone. The operating system keeps it in memory, where it outlives processes.
 */
export type UnsentList = Readonly<{
  /** Adds an attempt that is about to begin, and returns its id. */
  add(at: ChunkRef, n: number): string;
  /** Deletes an attempt whose request is about to leave. When this throws, the request must not leave. */
  delete(id: string): void;
  /** Closes the list, and deletes it unless attempts are on it. */
  close(): void;
}>;

/** Opens the list of this process. `clock` names the boot, see `ClockReading`. */
export function openUnsentList(storeUrl: string, clock: string): UnsentList {
  const store = storeFile(storeUrl);
  const listId = randomUUID();
  const path = store === undefined ? MEMORY : `${beginningOf(store)}${listId}.db`;
  if (path !== MEMORY) makeDatabasePrivate(path);
  const file = new Database(path);
  file.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  // The first write takes the lock, and the connection keeps it.
  file.pragma('locking_mode = EXCLUSIVE');
  file.pragma('journal_mode = WAL');
  file.pragma('synchronous = OFF');
  file.exec(TABLES);
  file.prepare('insert into owner values (?)').run(clock);
  const add = file.prepare('insert into unsent values (?, ?, ?, ?, ?)');
  const remove = file.prepare('delete from unsent where id = ?');
  const first = file.prepare('select 1 from unsent');
  let count = 0;
  return {
    add({ batchId, chunk, idempotencyKey }, n) {
      const id = `${listId}/${(count += 1)}`;
      add.run(id, batchId, chunk, idempotencyKey, n);
      return id;
    },
    delete(id) {
      remove.run(id);
    },
    close() {
      const isEmpty = first.get() === undefined;
      file.close();
      if (isEmpty && path !== MEMORY) deleteFiles(path);
    },
  };
}

const TABLES = `begin;
  create table unsent (
    id text primary key, batch_id text not null, chunk integer not null, idempotency_key text not null, n integer not null);
  create table owner (clock_id text not null);
  commit`;

/** The list of a process that has ended. */
export type EndedList = Readonly<{
  /** Attempts that never left. Empty when the list is of another boot, where it proves nothing. */
  attempts: readonly UnsentAttempt[];
  delete(): void;
}>;

/** The lists beside a store whose processes have ended. */
export function readEndedLists(storeUrl: string, clock: string): EndedList[] {
  const store = storeFile(storeUrl);
  if (store === undefined) return [];
  const beginning = beginningOf(store);
  const folder = dirname(store);
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => basename(path).startsWith(basename(beginning)) && path.endsWith('.db'))
    .flatMap((path) => readEndedList(path, clock));
}

const beginningOf = (store: string): string => `${store.replace(/\.db$/, '')}-unsent-`;

function readEndedList(path: string, clock: string): EndedList[] {
  const file = new Database(path);
  try {
    file.pragma('busy_timeout = 0');
    if (!hasTables(file)) return [];
    const owner = file.prepare('select clock_id from owner').get() as { clock_id: string };
    const rows = file.prepare('select * from unsent').all() as UnsentRow[];
    const attempts = owner.clock_id === clock ? rows.map(toAttempt) : [];
    return [{ attempts, delete: () => deleteFiles(path) }];
  } catch (error) {
    // Its process is alive.
    if (sqliteCodeOf(error).startsWith('SQLITE_BUSY')) return [];
    throw error;
  } finally {
    file.close();
  }
}

/** Whether a list has its tables. Its process may be making them now. */
const hasTables = (file: InstanceType<typeof Database>): boolean =>
  file.prepare("select 1 from sqlite_master where name = 'owner'").get() !== undefined;

type UnsentRow = {
  id: string;
  batch_id: string;
  chunk: number;
  idempotency_key: string;
  n: number;
};

const toAttempt = (row: UnsentRow): UnsentAttempt => ({
  id: row.id,
  at: { batchId: row.batch_id, chunk: row.chunk, idempotencyKey: row.idempotency_key },
  n: row.n,
});

function deleteFiles(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
}
