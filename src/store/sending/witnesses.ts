import type { Db } from '../database/db.ts';

/** A mass payout that the service accepted, to test whether a lookup finds it. */
export type Witness = Readonly<{
  batchId: string;
  chunk: number;
  idempotencyKey: string;
  /** The id that the service gave it; null: the store does not have it. */
  massPayoutId: string | null;
  /** When its create was signed, in milliseconds since 1970; null: the store does not have it. */
  signedAtMs: number | null;
}>;

/** Mass payouts that the service accepted from an account: the first of its latest batch, and the newest. */
export async function readWitnesses(
  db: Db,
  account: string,
  exceptKey: string,
): Promise<Witness[]> {
  const accepted = db
    .selectFrom('batch')
    .innerJoin('chunk', 'chunk.batch_id', 'batch.batch_id')
    // A mass payout that was adopted into an older copy of the store has no attempt.
    .leftJoin('attempt', 'attempt.idempotency_key', 'chunk.idempotency_key')
    .select(['chunk.batch_id', 'chunk.chunk', 'chunk.idempotency_key', 'chunk.mass_payout_id'])
    .select('attempt.timestamp_ms')
    .where('batch.account', '=', account)
    .where('chunk.state', '=', 'CREATED')
    .where('chunk.idempotency_key', '!=', exceptKey)
    .limit(1);
  const first = await accepted
    .orderBy('batch.submitted_at_ms', 'desc')
    .orderBy('chunk.chunk')
    .orderBy('attempt.n', 'desc')
    .executeTakeFirst();
  if (first === undefined) return [];
  const newest = await accepted.orderBy('attempt.timestamp_ms', 'desc').executeTakeFirst();
  const rows = newest?.idempotency_key === first.idempotency_key ? [first] : [first, newest];
  return rows.flatMap((row) => (row === undefined ? [] : [toWitness(row)]));
}

const toWitness = (row: {
  batch_id: string;
  chunk: number;
  idempotency_key: string;
  mass_payout_id: string | null;
  timestamp_ms: number | null;
}): Witness => ({
  batchId: row.batch_id,
  chunk: row.chunk,
  idempotencyKey: row.idempotency_key,
  massPayoutId: row.mass_payout_id,
  signedAtMs: row.timestamp_ms,
});
