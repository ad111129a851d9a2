import type { Db, Write } from './db.ts';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';

/** Writes that share one commit at most; keeps the wait of other processes short. */
const GROUP_WRITES_MAX = 64;

type Waiting = Readonly<{ run(tx: Db): Promise<void>; settle(error?: unknown): void }>;

/**
 * Writes that arrive together share one commit, since the wait for the disk is the cost. Each is a savepoint of its
 * own: one that fails is undone alone. No write returns before the commit.
 */
export function createGroupCommit(db: Db): Write {
  let waiting: Waiting[] = [];
  let draining = false;

  const drain = async (): Promise<void> => {
    // Let everything that is ready to write come in first.
    await setImmediate();
    while (waiting.length > 0) {
      const group = waiting.slice(0, GROUP_WRITES_MAX);
      waiting = waiting.slice(GROUP_WRITES_MAX);
      await commit(db, group);
    }
    draining = false;
  };

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push(toWaiting(work, { resolve, reject }));
      if (draining) return;
      draining = true;
      void drain();
    });
}

type Ends<Result> = Readonly<{ resolve(result: Result): void; reject(error: unknown): void }>;

/** Keeps the result of the work until the commit has succeeded or failed. */
function toWaiting<Result>(work: (tx: Db) => Promise<Result>, ends: Ends<Result>): Waiting {
  let end = (): void => ends.reject(new Error('the write was never run'));
  return {
    async run(tx) {
      await sql`savepoint one_write`.execute(tx);
      try {
        const result = await work(tx);
        end = () => ends.resolve(result);
      } catch (error) {
        // What ended the whole transaction, as a full disk does, fails all of the group, and by its own name.
        await sql`rollback to one_write`.execute(tx).catch(() => Promise.reject(error));
        end = () => ends.reject(error);
      }
      await sql`release one_write`.execute(tx);
    },
    settle: (error) => (error === undefined ? end() : ends.reject(error)),
  };
}

async function commit(db: Db, group: readonly Waiting[]): Promise<void> {
  try {
    await db.transaction().execute(async (tx) => {
      for (const { run } of group) await run(tx);
    });
    for (const { settle } of group) settle();
  } catch (error) {
    for (const { settle } of group) settle(error);
  }
}
