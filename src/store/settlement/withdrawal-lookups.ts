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
        .replaceInto('withdrawal_look')
        .values({
          batch_id: at.batchId,
          chunk: at.chunk,
          withdrawal_id: withdrawalId,
          look_json: JSON.stringify(kept.look),
          said: kept.said,
          at_ms: kept.atMs,
          failures: kept.failures,
        })
        .execute();
    }),

  /** Every lookup of a withdrawal of this chunk, by withdrawal id. */
  async ofChunk({ batchId, chunk }: ChunkAt): Promise<ReadonlyMap<string, KeptLook>> {
    const rows = await db
      .selectFrom('withdrawal_look')
      .selectAll()
      .where('batch_id', '=', batchId)
      .where('chunk', '=', chunk)
      .execute();
    return new Map(rows.map((row) => [row.withdrawal_id, toLook(row)]));
  },
});

export async function forgetLooks(tx: Db, { batchId, chunk }: ChunkAt): Promise<void> {
  await tx
    .deleteFrom('withdrawal_look')
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
    .selectFrom('withdrawal_look')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('chunk', '=', chunk)
    .where('withdrawal_id', '=', withdrawalId)
    .executeTakeFirst();
  return row === undefined ? undefined : toLook(row);
}

const toLook = ({ look_json, said, at_ms, failures }: Schema['withdrawal_look']): KeptLook => ({
  look: JSON.parse(look_json) as WithdrawalLook,
  said,
  atMs: at_ms,
  failures,
});
