import { sql } from 'kysely';
import type { Db } from './sqlite.ts';

export type PaceStore = ReturnType<typeof createPaceStore>;

/** Slots in which requests may leave, shared by all processes that share the store. */
export const createPaceStore = (db: Db) => ({
  /**
   * Takes the next free slot of an account and answers when it begins, in milliseconds since 1970. Slots are
   * `intervalMs` apart; one that nobody took in time is gone, so a pause is not followed by a burst.
   */
  async takeSlot(account: string, intervalMs: number, nowMs: number): Promise<number> {
    const { slot_ms } = await db
      .insertInto('pace')
      .values({ account, slot_ms: nowMs })
      .onConflict((conflict) =>
        conflict.column('account').doUpdateSet({
          slot_ms: sql<number>`max(pace.slot_ms + ${intervalMs}, ${nowMs})`,
        }),
      )
      .returning('slot_ms')
      .executeTakeFirstOrThrow();
    return slot_ms;
  },
});
