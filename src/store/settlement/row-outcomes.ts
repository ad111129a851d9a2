import type { Tx } from '../database/db.ts';
import type { ChunkOutcomes, Outcome, RowOutcome } from '../../domain/settling/outcome.ts';
import type { ChunkAt } from './withdrawal-lookups.ts';
import type { Schema } from '../database/schema.ts';

/** The outcome of one row, with its amount as canonical decimal text. */
export type StoredRowOutcome = RowOutcome & Readonly<{ chunk: number; amount: string }>;

/** Rows that are written with one statement. */
const ROWS_PER_STATEMENT = 500;

/**
 * The outcomes of a chunk for the audit log: the default outcome of the chunk, and the number of rows that differ from it.
 */
export function outcomesDetail({
  massPayoutState,
  final,
  defaultOutcome,
  rows,
}: ChunkOutcomes): Readonly<Record<string, unknown>> {
  const named: Record<string, number> = {};
  for (const { outcome } of rows) named[outcome] = (named[outcome] ?? 0) + 1;
  return {
    massPayoutState,
    final,
    rest: defaultOutcome.outcome,
    ...(rows.length === 0 ? {} : { named }),
  };
}

/** Replaces the outcomes of single rows of a chunk. */
export async function replaceRows(
  tx: Tx,
  { batchId, chunk }: ChunkAt,
  rows: readonly StoredRowOutcome[],
): Promise<void> {
  await tx
    .deleteFrom('row_outcome')
    .where('batch_id', '=', batchId)
    .where('chunk', '=', chunk)
    .execute();
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    const page = rows.slice(from, from + ROWS_PER_STATEMENT);
    await tx
      .insertInto('row_outcome')
      .values(page.map((row) => toRow(batchId, row)))
      .execute();
  }
}

export const toRow = (batchId: string, row: StoredRowOutcome): Schema['row_outcome'] => ({
  batch_id: batchId,
  row: row.row,
  chunk: row.chunk,
  outcome: row.outcome,
  reason: row.reason,
  amount: row.amount,
  withdrawal_id: row.withdrawalId ?? null,
  transaction_hash: row.transactionHash ?? null,
  fee: row.fee ?? null,
  fee_currency: row.feeCurrency ?? null,
});

export const toRowOutcome = (row: Schema['row_outcome']): StoredRowOutcome => ({
  row: row.row,
  chunk: row.chunk,
  outcome: row.outcome as Outcome,
  reason: row.reason,
  amount: row.amount,
  ...(row.withdrawal_id === null ? {} : { withdrawalId: row.withdrawal_id }),
  ...(row.transaction_hash === null ? {} : { transactionHash: row.transaction_hash }),
  ...(row.fee === null ? {} : { fee: row.fee }),
  ...(row.fee_currency === null ? {} : { feeCurrency: row.fee_currency }),
});
