import type { Connection, Db, Tx } from './db.ts';
import { refuseDisorder, type Scopes } from '../engine/scopes.ts';
import { wordsOf } from '../engine/words.ts';
import { setImmediate } from 'node:timers/promises';

/**
 * Runs `work` while no other write in its scopes runs. The result is durable when it is returned. `work` may run twice,
 * so it changes nothing but the store.
 */
export type Decide = <Result>(scopes: Scopes, work: (tx: Tx) => Promise<Result>) => Promise<Result>;

/** How a part of the store reads, and how it writes. */
export type Access = Readonly<{ db: Db; decide: Decide }>;

/** Writes that share one commit at most, and how long they take it, in milliseconds: other processes wait meanwhile. */
const GROUP_WRITES_MAX = 64;
const GROUP_MS_MAX = 250;

type Waiting = Readonly<{
  scopes: Scopes;
  /** Does the work, and returns what ends the write after the commit. */
  run(tx: Tx): Promise<() => void>;
  fail(error: unknown): void;
}>;

/**
 * Writes that arrive together share one transaction, since the wait for the disk is the cost. An engine with one lock for all
 * scopes has one queue of writes. One with a lock for each scope has a queue for each set of scopes.
 */
export function createDecide(
  connection: Connection,
  nowMs: () => number = () => performance.now(),
): Decide {
  const transactions = { connection, nowMs };
  const { groupOf } = wordsOf(connection);
  const queues = new Map<string, Waiting[]>();

  const drain = async (key: string, queue: Waiting[]): Promise<void> => {
    while (queue.length > 0) {
      // The results of the last group act first: a create leaves before other writes take their time. Meanwhile the next group
      // gathers.
      await setImmediate();
      const group = queue.slice(0, GROUP_WRITES_MAX);
      const ended = await commit(transactions, group);
      queue.splice(0, ended);
    }
    queues.delete(key);
  };

  return async (scopes, work) => {
    refuseDisorder(scopes);
    return new Promise((resolve, reject) => {
      const key = groupOf(scopes);
      const queue = queues.get(key);
      const own = queue ?? [];
      own.push({
        scopes,
        async run(tx) {
          const result = await work(tx);
          return () => resolve(result);
        },
        fail: reject,
      });
      if (queue !== undefined) return;
      queues.set(key, own);
      void drain(key, own);
    });
  };
}

/** How the files of the store, and tests of one of them, reach a database. */
export const accessTo = (connection: Connection): Access => ({
  db: connection,
  decide: createDecide(connection),
});

/** Where transactions are made. `nowMs`: a clock that never jumps. */
type Transactions = Readonly<{ connection: Connection; nowMs(): number }>;

/** An error that the work of a write threw. `place`: the place of the write in its group. */
class WorkFailed extends Error {
  readonly place: number;

  constructor(cause: unknown, place: number) {
    super('the work of a write failed', { cause });
    this.place = place;
  }
}

/**
 * Commits the first writes of a group, as many as there is time for, and returns how many. When the work of one write throws,
 * nothing is stored, and each write runs again in a transaction of its own. When the transaction cannot begin or commit, all
 * writes of the group fail at once.
 */
async function commit(transactions: Transactions, group: readonly Waiting[]): Promise<number> {
  try {
    const ends = await inTransaction(transactions, group);
    for (const end of ends) end();
    return ends.length;
  } catch (error) {
    if (error instanceof WorkFailed) await commitOneByOne(transactions, group, error);
    else for (const { fail } of group) fail(error);
    return group.length;
  }
}

/** A failure that is not of the work, as of a locked store, fails the rest: each would wait as long for the lock. */
async function commitOneByOne(
  transactions: Transactions,
  group: readonly Waiting[],
  thrown: WorkFailed,
): Promise<void> {
  for (const [place, one] of group.entries()) {
    try {
      const ends = await inTransaction(transactions, [one]);
      for (const end of ends) end();
    } catch (error) {
      if (error instanceof WorkFailed) {
        one.fail(error.cause);
        continue;
      }
      for (const [after, rest] of group.slice(place).entries()) {
        rest.fail(place + after === thrown.place ? thrown.cause : error);
      }
      return;
    }
  }
}

const inTransaction = (
  { connection, nowMs }: Transactions,
  group: readonly Waiting[],
): Promise<(() => void)[]> =>
  connection.transaction().execute(async (tx) => {
    // The writes of a group need the same locks.
    if (group[0] !== undefined) await wordsOf(tx).lock(tx, group[0].scopes);
    const startedMs = nowMs();
    const ends: (() => void)[] = [];
    for (const [place, { run }] of group.entries()) {
      if (ends.length > 0 && nowMs() - startedMs >= GROUP_MS_MAX) break;
      try {
        // oxlint-disable-next-line no-unsafe-type-assertion
        ends.push(await run(tx as Tx));
      } catch (cause) {
        throw new WorkFailed(cause, place);
      }
    }
    return ends;
  });
