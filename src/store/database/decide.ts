import type { Connection, Db, Tx } from './db.ts';
import { setImmediate } from 'node:timers/promises';

/**
 * What a write decides about. `store`: what belongs to no account, batch or schedule, and what may concern any batch.
 * `chain`: the audit log.
 */
export type Scope =
  | Readonly<{ account: string }>
  | Readonly<{ batch: string }>
  | Readonly<{ schedule: string }>
  | 'store'
  | 'chain';

/** The scopes of one write, in the order of {@link SCOPE_ORDER}. */
export type Scopes = readonly [Scope, ...Scope[]];

/**
 * Runs `work` while no other write in its scopes runs. The result is durable when it is returned. `work` may run twice,
 * so it changes nothing but the store.
 */
export type Decide = <Result>(scopes: Scopes, work: (tx: Tx) => Promise<Result>) => Promise<Result>;

/** How a part of the store reads, and how it writes. */
export type Access = Readonly<{ db: Db; decide: Decide }>;

/** Locks are taken in this order, so that no two writes wait for each other. */
const SCOPE_ORDER = ['account', 'batch', 'schedule', 'store', 'chain'];

/** Writes that share one commit at most; keeps the wait of other processes short. */
const GROUP_WRITES_MAX = 64;

type Waiting = Readonly<{
  /** Does the work, and returns what ends the write after the commit. */
  run(tx: Tx): Promise<() => void>;
  fail(error: unknown): void;
}>;

/**
 * SQLite has one write lock, which covers every scope. Writes that arrive together share one transaction, since the wait
 * for the disk is the cost.
 */
export function createDecide(connection: Connection): Decide {
  let waiting: Waiting[] = [];
  let draining = false;

  const drain = async (): Promise<void> => {
    // Let everything that is ready to write come in first.
    await setImmediate();
    while (waiting.length > 0) {
      const group = waiting.slice(0, GROUP_WRITES_MAX);
      waiting = waiting.slice(GROUP_WRITES_MAX);
      await commit(connection, group);
    }
    draining = false;
  };

  return async (scopes, work) => {
    refuseDisorder(scopes);
    return new Promise((resolve, reject) => {
      waiting.push({
        async run(tx) {
          const result = await work(tx);
          return () => resolve(result);
        },
        fail: reject,
      });
      if (draining) return;
      draining = true;
      void drain();
    });
  };
}

/** How the files of the store, and tests of one of them, reach a database. */
export const accessTo = (connection: Connection): Access => ({
  db: connection,
  decide: createDecide(connection),
});

function refuseDisorder(scopes: Scopes): void {
  const places = scopes.map((scope) => SCOPE_ORDER.indexOf(kindOf(scope)));
  if (places.every((place, i) => i === 0 || place >= (places[i - 1] ?? 0))) return;
  throw new Error(`scopes out of order: ${scopes.map(kindOf).join(', ')}`);
}

const kindOf = (scope: Scope): string =>
  typeof scope === 'string' ? scope : (Object.keys(scope)[0] ?? '');

/** An error that the work of a write threw. */
class WorkFailed extends Error {}

/**
 * Commits a group. When the work of one write throws, nothing of the group is stored: each write then runs again in a
 * transaction of its own, and the failing one fails alone. When the transaction cannot begin or commit, all fail at once.
 */
async function commit(connection: Connection, group: readonly Waiting[]): Promise<void> {
  try {
    const ends = await inTransaction(connection, group);
    for (const end of ends) end();
  } catch (error) {
    if (error instanceof WorkFailed && group.length > 1) {
      for (const one of group) await commit(connection, [one]);
      return;
    }
    const cause = error instanceof WorkFailed ? error.cause : error;
    for (const { fail } of group) fail(cause);
  }
}

const inTransaction = (
  connection: Connection,
  group: readonly Waiting[],
): Promise<(() => void)[]> =>
  connection.transaction().execute(async (tx) => {
    const ends: (() => void)[] = [];
    for (const { run } of group) {
      try {
        // oxlint-disable-next-line no-unsafe-type-assertion
        ends.push(await run(tx as Tx));
      } catch (cause) {
        throw new WorkFailed('the work of a write failed', { cause });
      }
    }
    return ends;
  });
