import type { WriteChunk } from '../chunk-writes/write.ts';
import type { Lookup } from '../../domain/sending/send-record.ts';
import type { Db } from '../database/db.ts';
import {
  addLookup,
  type AttemptEnd,
  type AttemptStart,
  begin,
  end,
  endUnsent,
  type NewAttempt,
} from './attempts.ts';
import { type LookedUpPayout, setPayout, withPayout } from './found-payouts.ts';
import { nearestUnderWay } from './headroom.ts';
import { otherOwners } from './other-owners.ts';
import { createSendEnds } from './sending-ends.ts';
import { createSendReads } from './send-facts.ts';
import { type ChunkRef, type Intent, readIntent } from './send-records.ts';
import type { UnsentAttempt } from './unsent-list.ts';

export type { AttemptEnd, AttemptStart, NewAttempt } from './attempts.ts';
export type { LookedUpPayout } from './found-payouts.ts';
export type { ChunkRef, Intent } from './send-records.ts';

/**
 * The durable facts about sending: intents, attempts, lookups, and their results. Every write is committed on return,
 * together with its entry in the audit log.
 */
export const createSendStore = (db: Db, write: WriteChunk) => ({
  ...createSendReads(db),

  intent: (idempotencyKey: string): Promise<Intent | undefined> => readIntent(db, idempotencyKey),

  /**
   * Writes intent and attempt down before anything leaves; only `begun` allows to send. Throws INTENT_MISMATCH when the
   * key already stands for another content.
   */
  beginAttempt: (at: ChunkRef, attempt: NewAttempt): Promise<AttemptStart> =>
    write({
      at,
      action: 'send',
      needs: { begins: { first: attempt.n === 1 } },
      decide: (facts) => begin(facts, attempt),
    }),

  /** Other chunks that a mass payout stands for already, in words. */
  otherOwners: (ref: ChunkRef, massPayoutId: string): Promise<string[]> =>
    otherOwners(db, ref, massPayoutId),

  /** The chunk that is under way and nearest to another one by its number; undefined when there is none. */
  nearestUnderWay: (ref: ChunkRef): Promise<number | undefined> => nearestUnderWay(db, ref),

  /** Writes down how an attempt ended and, with it, the mass payout that the answer held. */
  endAttempt: (at: ChunkRef, ended: AttemptEnd, payout?: LookedUpPayout): Promise<void> =>
    write({
      at,
      action: 'answer',
      needs: { massPayoutId: payout?.id },
      decide: (facts) => withPayout(facts, end(facts, ended), payout),
    }),

  /**
   * Ends an attempt that is on the unsent list of a process that has ended. Returns false when the store has no such attempt,
   * or has its end.
   */
  async endUnsent({ id, at, n }: UnsentAttempt, endedMs: number): Promise<boolean> {
    if (!(await isPending(db, { id, at, n }))) return false;
    return write({ at, action: 'answer', decide: (facts) => endUnsent(facts, { id, n, endedMs }) });
  },

  /** Stores a lookup and the mass payout that it found. */
  recordLookup: (at: ChunkRef, lookup: Lookup, payout?: LookedUpPayout): Promise<void> =>
    write({
      at,
      action: 'lookup',
      needs: { countsLookups: true, massPayoutId: payout?.id },
      decide: (facts) => withPayout(facts, addLookup(facts, lookup), payout),
    }),

  setPayout: (at: ChunkRef, payout: LookedUpPayout): Promise<void> =>
    write({
      at,
      action: 'found',
      needs: { massPayoutId: payout.id },
      decide: (facts) => setPayout(facts, payout),
    }),

  ...createSendEnds(write),
});

/** Whether the store has the attempt of an unsent list, and no end of it. */
async function isPending(db: Db, { id, at, n }: UnsentAttempt): Promise<boolean> {
  const found = await db
    .selectFrom('attempt')
    .select('n')
    .where('idempotency_key', '=', at.idempotencyKey)
    .where('n', '=', n)
    .where('unsent_id', '=', id)
    .where('outcome', '=', 'PENDING')
    .executeTakeFirst();
  return found !== undefined;
}
