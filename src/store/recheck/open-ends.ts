import type { Db } from '../database/db.ts';

/** Chunks of an ended batch whose ends people can change, or that are on their way again. */
export async function openEnds(db: Db, batchId: string, reopenedMax: number): Promise<number[]> {
  const rows = await db
    .selectFrom('chunk')
    .select('chunk')
    .where('batch_id', '=', batchId)
    .where('state', '=', 'CREATED')
    .where('reopened', '<=', reopenedMax)
    .where(({ or, eb }) => or([eb('final', '=', 0), eb('payout_fingerprint', 'is not', null)]))
    .orderBy('chunk')
    .execute();
  return rows.map(({ chunk }) => chunk);
}
