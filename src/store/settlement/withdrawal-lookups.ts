import type { Db, Write } from '../database/db.ts';
import type { WithdrawalLook } from '../../domain/settling/judge.ts';
import { type KeptLook, laterLook, type NewLook } from '../../domain/settling/looks.ts';
import type { Schema } from '../database/schema.ts';

export type ChunkAt = Readonly<{ batchId: string; chunk: number }>;

/** Lookups of withdrawals of open chunks: a mass payout with thousands is read in many sweeps. */
export const createLookStore = (db: Db, write: Write) => ({
  /** Stores a lookup, unless a better one is stored. */
  save: (at: ChunkAt, withdrawalId: string, look: NewLook): Promise<void> =>
    write(async (tx) => {
      const kept = laterLook(await findLook(tx, at, withdrawalId), look);
      await tx
        .replaceInto('withdrawal_lookup')
        .values({
          batch_id: at.batchId,
          chunk: at.chunk,
          withdrawal_id: withdrawalId,
          lookup_json: JSON.stringify(kept.look),
          withdrawal_fingerprint: kept.said,
          at_ms: kept.atMs,
          failures: kept.failures,
        })
        .execute();
    }),

  /** Every lookup of a withdrawal of this chunk, by withdrawal id. */
  async ofChunk({ batchId, chunk }: ChunkAt): Promise<ReadonlyMap<string, KeptLook>> {
    const rows = await db
      .selectFrom('withdrawal_lookup')
      .selectAll()
      .where('batch_id', '=', batchId)
      .where('chunk', '=', chunk)
      .execute();
    return new Map(rows.map((row) => [row.withdrawal_id, toLook(row)]));
  },
});

export async function forgetLooks(tx: Db, { batchId, chunk }: ChunkAt): Promise<void> {
  await tx
    .deleteFrom('withdrawal_lookup')
    .where('batch_id', '=', batchId)
    .where('chunk', '=', chunk)
    .execute();
}

async function findLook(
  tx: Db,
  { batchId, chunk }: ChunkAt,
  withdrawalId: string,
): Promise<KeptLook | undefined> {
  const row = await tx
    .selectFrom('withdrawal_lookup')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('chunk', '=', chunk)
    .where('withdrawal_id', '=', withdrawalId)
    .executeTakeFirst();
  return row === undefined ? undefined : toLook(row);
}

const toLook = ({
  lookup_json,
  withdrawal_fingerprint: said,
  at_ms,
  failures,
}: Schema['withdrawal_lookup']): KeptLook => ({
  look: JSON.parse(lookup_json) as WithdrawalLook,
  said,
  atMs: at_ms,
  failures,
});
