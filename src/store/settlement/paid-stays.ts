import type { Db } from '../database/db.ts';
import { canFollow, type UnknownStays } from '../../domain/lineage/merge-recheck.ts';
import type { RowNumber } from '../../domain/rows/row.ts';
import type { Outcome } from '../../domain/settling/outcome.ts';
import type { StoredChunk } from '../chunk-writes/write.ts';
import type { ChunkAt } from './withdrawal-lookups.ts';

/** The outcomes of a chunk as they stand in the store. */
export type OutcomesBefore = Readonly<{
  rowCount: number;
  defaultOutcome: Outcome;
  rows: ReadonlyMap<RowNumber, Outcome>;
}>;

type NewOutcomes = Readonly<{
  defaultOutcome: Readonly<{ outcome: Outcome }>;
  rows: readonly Readonly<{ row: RowNumber; outcome: Outcome }>[];
  unknownStays: UnknownStays;
}>;

/** Reads the outcomes of a chunk within the transaction that is about to replace them. */
export async function readOutcomes(db: Db, { batchId, chunk }: ChunkAt): Promise<OutcomesBefore> {
  const { row_count: rowCount, default_outcome: defaultOutcome } = await db
    .selectFrom('chunk')
    .select(['row_count', 'default_outcome'])
    .where('batch_id', '=', batchId)
    .where('chunk', '=', chunk)
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('row_outcome')
    .select(['row', 'outcome'])
    .where('batch_id', '=', batchId)
    .where('chunk', '=', chunk)
    .execute();
  return {
    rowCount,
    defaultOutcome: defaultOutcome as Outcome,
    rows: new Map(rows.map(({ row, outcome }) => [row, outcome as Outcome])),
  };
}

/** The same, of a chunk that was read already. */
export const outcomesIn = ({ row, rowOutcomes }: StoredChunk): OutcomesBefore => ({
  rowCount: row.row_count,
  defaultOutcome: row.default_outcome as Outcome,
  rows: new Map(rowOutcomes.map((one) => [one.row, one.outcome as Outcome])),
});

/**
 * Throws when a row that is stored as PAID would become unpaid; the transaction is rolled back. Only a bug in a caller can
 * cause that. Rows without an outcome of their own are checked for PAID alone.
 */
export function refuseUnpaidOfPaid(
  { batchId, chunk }: ChunkAt,
  before: OutcomesBefore,
  { defaultOutcome, rows, unknownStays }: NewOutcomes,
): void {
  const next = new Map(rows.map(({ row, outcome }) => [row, outcome]));
  const named = new Set([...before.rows.keys(), ...next.keys()]);
  const isKept = [...named].every((row) =>
    canFollow(
      before.rows.get(row) ?? before.defaultOutcome,
      next.get(row) ?? defaultOutcome.outcome,
      unknownStays(row),
    ),
  );
  const hasOthers = named.size < before.rowCount;
  if (isKept && (!hasOthers || canFollow(before.defaultOutcome, defaultOutcome.outcome, false)))
    return;
  throw new Error(`chunk ${chunk} of ${batchId} has paid rows that would become unpaid`);
}
