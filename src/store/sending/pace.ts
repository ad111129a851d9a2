import { wordsOf } from '../engine/words.ts';
import { larger, smaller } from '../engine/portable.ts';
import type { Access } from '../database/decide.ts';
import { sql } from 'kysely';

/** The longest wait for a slot, in milliseconds. */
const WAIT_MS_MAX = 60_000;

export type PaceStore = ReturnType<typeof createPaceStore>;

/** Slots in which requests may leave, shared by all processes that share the store. */
export const createPaceStore = ({ decide }: Access) => ({
  /**
   * Takes the next free slot of an account. Returns how long to wait for it, in milliseconds. Slots are `intervalMs` apart,
   * by the clock of the database server where there is one: the clocks of several machines differ. A slot that was not
   * taken in time is lost, so no burst follows a pause.
   */
  async takeSlot(account: string, intervalMs: number, ownMs: number): Promise<number> {
    const { slot_ms: slotMs, nowMs } = await decide([{ account }], (tx) => {
      const now = wordsOf(tx).nowMs(ownMs);
      return tx
        .insertInto('pace')
        .values({ account, slot_ms: now })
        .onConflict((conflict) =>
          conflict.column('account').doUpdateSet({
            // A clock that was far ahead once must not make everybody wait for it.
            slot_ms: smaller(
              larger(sql`pace.slot_ms + ${sql.lit(intervalMs)}`, now),
              sql`${now} + ${sql.lit(WAIT_MS_MAX)}`,
            ),
          }),
        )
        .returning(['slot_ms', now.as('nowMs')])
        .executeTakeFirstOrThrow();
    });
    return Math.max(0, slotMs - nowMs);
  },
});

export type PacerOptions = Readonly<{
  store: Readonly<{ pace: PaceStore }>;
  account: string;
  /** Over everybody who shares the store; undefined: no limit. */
  requestsPerSecond: number | undefined;
  nowMs(): number;
}>;

/** Makes what waits for the next slot of an account; without a limit there is nothing to wait for. */
export function createPacer({ store, account, requestsPerSecond, nowMs }: PacerOptions) {
  if (requestsPerSecond === undefined) return () => Promise.resolve();
  const intervalMs = 1_000 / requestsPerSecond;
  return async (): Promise<void> => {
    const waitMs = await store.pace.takeSlot(account, intervalMs, nowMs());
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  };
}
