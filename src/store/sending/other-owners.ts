import type { Db, Tx } from '../database/db.ts';
import { wordsOf } from '../engine/words.ts';
import type { ChunkRef } from './send-records.ts';

/**
 * Holds back other writes that decide which chunk one of these mass payouts stands for, until the end of the transaction. Example:
 * chunks of two batches find mass payout M at once. The later write sees that M stands for the chunk of the other batch.
 */
export async function lockPayouts(tx: Tx, massPayoutIds: readonly string[]): Promise<void> {
  // In one order, so that no two writes wait for each other.
  const [first, ...rest] = massPayoutIds.toSorted().map((payout) => ({ payout }));
  if (first !== undefined) await wordsOf(tx).lockMore(tx, [first, ...rest]);
}

/** Other chunks that a mass payout stands for already, in words. */
export async function otherOwners(db: Db, ref: ChunkRef, massPayoutId: string): Promise<string[]> {
  const others = await db
    .selectFrom('chunk')
    .select(['batch_id', 'chunk'])
    .where('mass_payout_id', '=', massPayoutId)
    .where('idempotency_key', '!=', ref.idempotencyKey)
    .orderBy('batch_id')
    .orderBy('chunk')
    .execute();
  return others.map((other) => `it already stands for chunk ${other.chunk} of ${other.batch_id}`);
}
