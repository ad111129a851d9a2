import type { Db, Tx } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import type { WithdrawalLookup } from '../../domain/settling/payout-outcomes.ts';
import {
  type StoredWithdrawalLookup,
  lookupToKeep,
  type NewWithdrawalLookup,
} from '../../domain/settling/withdrawal-lookups.ts';
import type { Schema } from '../database/schema.ts';

export type ChunkAt = Readonly<{ batchId: string; chunk: number }>;

/** Lookups of withdrawals of open chunks: a mass payout with thousands is read in many sweeps. */
export const createWithdrawalLookupStore = ({ db, decide }: Access) => ({
  /** Stores a lookup, unless a better one is stored. */
  save: (at: ChunkAt, withdrawalId: string, lookup: NewWithdrawalLookup): Promise<void> =>
    decide([{ batch: at.batchId }], async (tx) => {
      const kept = lookupToKeep(await findStored(tx, at, withdrawalId), lookup);
      const found = {
        lookup_json: JSON.stringify(kept.result),
        withdrawal_fingerprint: kept.fingerprint,
        at_ms: kept.atMs,
        failures: kept.failures,
      };
      await tx
        .insertInto('withdrawal_lookup')
        .values({ batch_id: at.batchId, chunk: at.chunk, withdrawal_id: withdrawalId, ...found })
        .onConflict((conflict) =>
          conflict.columns(['batch_id', 'chunk', 'withdrawal_id']).doUpdateSet(found),
        )
        .execute();
    }),

  /** Every lookup of a withdrawal of this chunk, by withdrawal id. */
  async ofChunk({ batchId, chunk }: ChunkAt): Promise<ReadonlyMap<string, StoredWithdrawalLookup>> {
    const rows = await db
      .selectFrom('withdrawal_lookup')
      .selectAll()
      .where('batch_id', '=', batchId)
      .where('chunk', '=', chunk)
      .execute();
    return new Map(rows.map((row) => [row.withdrawal_id, toStored(row)]));
  },
});

export async function forgetWithdrawalLookups(tx: Tx, { batchId, chunk }: ChunkAt): Promise<void> {
  await tx
    .deleteFrom('withdrawal_lookup')
    .where('batch_id', '=', batchId)
    .where('chunk', '=', chunk)
    .execute();
}

async function findStored(
  db: Db,
  { batchId, chunk }: ChunkAt,
  withdrawalId: string,
): Promise<StoredWithdrawalLookup | undefined> {
  const row = await db
    .selectFrom('withdrawal_lookup')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('chunk', '=', chunk)
    .where('withdrawal_id', '=', withdrawalId)
    .executeTakeFirst();
  return row === undefined ? undefined : toStored(row);
}

const toStored = ({
  lookup_json,
  withdrawal_fingerprint: fingerprint,
  at_ms,
  failures,
}: Schema['withdrawal_lookup']): StoredWithdrawalLookup => ({
  result: JSON.parse(lookup_json) as WithdrawalLookup,
  fingerprint,
  atMs: at_ms,
  failures,
});
