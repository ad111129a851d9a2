import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'libsql';
import { databaseFiles, makeDatabasePrivate } from '../engine/sqlite/private-files.ts';
import { sqliteCodeOf } from '../engine/sqlite/reopening.ts';
import { storeFile } from '../../domain/store/store-url.ts';
import type { ChunkRef } from './send-records.ts';

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
 * Four facts make this a proof:
 * - An attempt leaves the list before the first byte of its request leaves.
 * - A process holds the lock of its list until it ends, so a list that others can read has no living process. No code opens and
 *   closes the file by itself: that drops the lock (POSIX).
 * - A list counts on the boot of its process alone. The operating system keeps it in memory, where it outlives processes.
 * - A copy of a list is another file, and proves nothing. Nor does a list that is older than the last restore of its store.
 */
export type UnsentList = Readonly<{
  /**
   * Adds an attempt that is about to begin, and returns its id. Returns undefined when the list cannot be written, as on a full
   * disk: after a kill such an attempt waits as any attempt whose end is unknown.
   */
  add(at: ChunkRef, n: number): string | undefined;
  /** Deletes an attempt whose request is about to leave. When this throws, the request must not leave. */
  delete(id: string): void;
  /** Closes the list, and deletes it unless attempts are on it. */
  close(): void;
}>;

/** What a list counts for. */
export type ListGround = Readonly<{
  storeUrl: string;
  /** Names the boot, see `ClockReading`. */
  clock: string;
  /** The number of the last restore of the store; 0: it was never restored. */
  epoch: number;
}>;

/** Opens the list of this process. @throws the driver's error when the file cannot be made */
export function openUnsentList({ storeUrl, clock, epoch }: ListGround): UnsentList {
  const store = storeFile(storeUrl);
  if (store === undefined) return NO_UNSENT_LIST;
  const listId = randomUUID();
  const path = `${beginningOf(store)}${listId}.db`;
  try {
    makeDatabasePrivate(path);
    const file = new Database(path);
    // The first write takes the lock, and the connection keeps it.
    file.pragma('locking_mode = EXCLUSIVE');
    file.pragma('journal_mode = WAL');
    file.pragma('synchronous = OFF');
    const { dev, ino } = statSync(path);
    file.exec('begin');
    file.exec(TABLES);
    file.prepare('insert into owner values (?, ?, ?)').run(clock, `${dev}/${ino}`, epoch);
    file.exec('commit');
    return listIn(file, listId, path);
  } catch (error) {
    deleteFiles(path);
    throw error;
  }
}

const TABLES = `
  create table unsent (
    id text primary key, batch_id text not null, chunk integer not null, idempotency_key text not null, n integer not null);
  create table owner (clock_id text not null, inode text not null, epoch integer not null)`;

type File = InstanceType<typeof Database>;

/** The list of a process that cannot make one, or whose store is in its memory. Its attempts wait after a kill as any attempt whose end is unknown. */
export const NO_UNSENT_LIST: UnsentList = {
  add: () => undefined,
  delete: () => undefined,
  close: () => undefined,
};

function listIn(file: File, listId: string, path: string): UnsentList {
  const add = file.prepare('insert into unsent values (?, ?, ?, ?, ?)');
  const remove = file.prepare('delete from unsent where id = ?');
  const first = file.prepare('select 1 from unsent');
  let count = 0;
  let isClosed = false;
  return {
    add({ batchId, chunk, idempotencyKey }, n) {
      const id = `${listId}/${(count += 1)}`;
      try {
        add.run(id, batchId, chunk, idempotencyKey, n);
        return id;
      } catch {
        return undefined;
      }
    },
    delete(id) {
      if (isClosed) throw new Error('the unsent list is closed');
      remove.run(id);
    },
    close() {
      const isEmpty = first.get() === undefined;
      isClosed = true;
      file.close();
      if (isEmpty) deleteFiles(path);
    },
  };
}

/** The list of a process that has ended. */
export type EndedList = Readonly<{
  /** Attempts that never left. Empty where the list proves nothing. */
  attempts: readonly UnsentAttempt[];
  delete(): void;
}>;

/** The lists beside a store whose processes have ended. A list that cannot be read proves nothing. */
export function readEndedLists(ground: ListGround): EndedList[] {
  const store = storeFile(ground.storeUrl);
  if (store === undefined) return [];
  const beginning = basename(beginningOf(store));
  return readdirSync(dirname(store), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.startsWith(beginning))
    .filter(({ name }) => LIST_END.test(name.slice(beginning.length)))
    .flatMap(({ name }) => readEndedList(join(dirname(store), name), ground));
}

const beginningOf = (store: string): string => `${store.replace(/\.db$/, '')}-unsent-`;

const LIST_END = /^[\da-f-]{36}\.db$/;

function readEndedList(path: string, ground: ListGround): EndedList[] {
  const ended = { delete: () => deleteFiles(path) };
  const file = new Database(path);
  try {
    file.pragma('busy_timeout = 0');
    // The process may be making its tables now.
    if (!hasTables(file)) return isNew(path) ? [] : [{ ...ended, attempts: [] }];
    const owner = file.prepare('select * from owner').get() as OwnerRow;
    const rows = file.prepare('select * from unsent').all() as UnsentRow[];
    return [{ ...ended, attempts: counts(owner, path, ground) ? rows.map(toAttempt) : [] }];
  } catch (error) {
    const code = sqliteCodeOf(error);
    // Its process is alive.
    if (code.startsWith('SQLITE_BUSY')) return [];
    return BROKEN.some((name) => code.startsWith(name)) ? [{ ...ended, attempts: [] }] : [];
  } finally {
    file.close();
  }
}

/** What SQLite calls a file that is no database, as after a loss of power. */
const BROKEN = ['SQLITE_NOTADB', 'SQLITE_CORRUPT'];

/** How long a process may take to make the tables of its list, in milliseconds. */
const NEW_MS = 60_000;

const isNew = (path: string): boolean => Date.now() - statSync(path).mtimeMs < NEW_MS;

function counts(owner: OwnerRow, path: string, { clock, epoch }: ListGround): boolean {
  const { dev, ino } = statSync(path);
  return owner.clock_id === clock && owner.epoch === epoch && owner.inode === `${dev}/${ino}`;
}

const hasTables = (file: File): boolean =>
  file.prepare("select 1 from sqlite_master where name = 'owner'").get() !== undefined;

type OwnerRow = { clock_id: string; inode: string; epoch: number };

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
  for (const file of databaseFiles(path)) rmSync(file, { force: true });
}
