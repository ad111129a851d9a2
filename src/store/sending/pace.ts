import { nextSlot, retryAtMs, retryWaitMs, type Slot } from '../../domain/sending/pace.ts';
import { wordsOf } from '../engine/words.ts';
import type { Access } from '../database/decide.ts';
import type { Tx } from '../database/db.ts';

export type PaceStore = ReturnType<typeof createPaceStore>;

/**
 * When requests of an account may leave, for all processes that share the store. Instants go by the clock of the database server
 * where there is one, since the clocks of several machines differ; else by `ownMs`.
 */
export const createPaceStore = ({ decide }: Access) => ({
  /** Takes the next free slot of an account. Slots are `intervalMs` apart. */
  takeSlot: (account: string, intervalMs: number, ownMs: number): Promise<Slot> =>
    decide([{ account }], async (tx) => {
      const { slotMs: lastMs, nowMs } = await readPace(tx, account, ownMs);
      const slot = nextSlot(lastMs, { intervalMs, nowMs });
      if (slot.slotMs === undefined) return slot;
      const set = { slot_ms: slot.slotMs };
      await tx
        .insertInto('pace')
        .values({ account, ...set })
        .onConflict((conflict) => conflict.column('account').doUpdateSet(set))
        .execute();
      return slot;
    }),

  /** Stores that the service takes no request of the account for a time. */
  setRetryAfter: (account: string, retryAfterMs: number, ownMs: number): Promise<void> =>
    decide([{ account }], async (tx) => {
      const { retryAtMs: knownMs, nowMs } = await readPace(tx, account, ownMs);
      const set = { retry_at_ms: retryAtMs(knownMs, { retryAfterMs, nowMs }) };
      await tx
        .insertInto('pace')
        .values({ account, slot_ms: nowMs, ...set })
        .onConflict((conflict) => conflict.column('account').doUpdateSet(set))
        .execute();
    }),

  /** Reads how long no request of the account may leave, in milliseconds. */
  retryWaitMs: (account: string, ownMs: number): Promise<number> =>
    decide([{ account }], async (tx) => {
      const { retryAtMs: atMs, nowMs } = await readPace(tx, account, ownMs);
      return retryWaitMs(atMs, nowMs);
    }),
});

type Pace = Readonly<{ slotMs: number | undefined; retryAtMs: number | null; nowMs: number }>;

async function readPace(tx: Tx, account: string, ownMs: number): Promise<Pace> {
  const now = wordsOf(tx).nowMs(ownMs).as('nowMs');
  const row = await tx
    .selectFrom('pace')
    .select(['slot_ms', 'retry_at_ms', now])
    .where('account', '=', account)
    .executeTakeFirst();
  if (row !== undefined) {
    return { slotMs: row.slot_ms, retryAtMs: row.retry_at_ms, nowMs: row.nowMs };
  }
  const { nowMs } = await tx.selectNoFrom(now).executeTakeFirstOrThrow();
  return { slotMs: undefined, retryAtMs: null, nowMs };
}
