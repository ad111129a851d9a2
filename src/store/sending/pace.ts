import { larger, smaller } from '../database/portable.ts';
import type { Access } from '../database/decide.ts';
import { sql } from 'kysely';

/** The longest wait for a slot, in milliseconds. */
const WAIT_MS_MAX = 60_000;

export type PaceStore = ReturnType<typeof createPaceStore>;

/** Slots in which requests may leave, shared by all processes that share the store. */
export const createPaceStore = ({ decide }: Access) => ({
  /**
   * Takes the next free slot of an account. Returns when it begins, in milliseconds since 1970. Slots are `intervalMs`
   * apart. A slot that was not taken in time is lost, so no burst follows a pause.
   */
  async takeSlot(account: string, intervalMs: number, nowMs: number): Promise<number> {
    const { slot_ms } = await decide([{ account }], (tx) =>
      tx
        .insertInto('pace')
        .values({ account, slot_ms: nowMs })
        .onConflict((conflict) =>
          conflict.column('account').doUpdateSet({
            // A clock that was far ahead once must not make everybody wait for it.
            slot_ms: smaller(
              larger(sql`pace.slot_ms + ${intervalMs}`, sql`${nowMs}`),
              sql`${nowMs + WAIT_MS_MAX}`,
            ),
          }),
        )
        .returning('slot_ms')
        .executeTakeFirstOrThrow(),
    );
    return slot_ms;
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
    const waitMs = (await store.pace.takeSlot(account, intervalMs, nowMs())) - nowMs();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  };
}
