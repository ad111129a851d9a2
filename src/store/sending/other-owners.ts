import type { Db } from '../database/db.ts';
import type { ChunkRef } from './send-records.ts';

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
