import type { Db } from '../database/db.ts';
import { canFollow, type UnknownStays } from '../../domain/lineage/later-word.ts';
import type { RowNumber } from '../../domain/rows/row.ts';
import type { Outcome } from '../../domain/settling/outcome.ts';
import type { ChunkAt } from './withdrawal-lookups.ts';

/** The outcomes of a chunk as they stand in the store. */
export type VerdictNow = Readonly<{
  rowCount: number;
  rest: Outcome;
  rows: ReadonlyMap<RowNumber, Outcome>;
}>;

type Next = Readonly<{
  rest: Readonly<{ outcome: Outcome }>;
  rows: readonly Readonly<{ row: RowNumber; outcome: Outcome }>[];
  unknownStays: UnknownStays;
}>;

/** Reads the outcomes of a chunk within the transaction that is about to replace them. */
export async function verdictNow(tx: Db, { batchId, chunk }: ChunkAt): Promise<VerdictNow> {
  const { row_count: rowCount, default_outcome: rest } = await tx
    .selectFrom('chunk')
    .select(['row_count', 'default_outcome'])
    .where('batch_id', '=', batchId)
    .where('chunk', '=', chunk)
    .executeTakeFirstOrThrow();
  const rows = await tx
    .selectFrom('row_outcome')
    .select(['row', 'outcome'])
    .where('batch_id', '=', batchId)
    .where('chunk', '=', chunk)
    .execute();
  return {
    rowCount,
    rest: rest as Outcome,
    rows: new Map(rows.map(({ row, outcome }) => [row, outcome as Outcome])),
  };
}

/**
 * Throws when a new verdict calls a row unpaid that stands as PAID. No caller passes such a verdict; a caller that does has a
 * bug, and the transaction is rolled back. Rows that no verdict names are checked for PAID alone.
 */
export function refuseUnpaidOfPaid(
  { batchId, chunk }: ChunkAt,
  before: VerdictNow,
  { rest, rows, unknownStays }: Next,
): void {
  const next = new Map(rows.map(({ row, outcome }) => [row, outcome]));
  const named = new Set([...before.rows.keys(), ...next.keys()]);
  const isKept = [...named].every((row) =>
    canFollow(
      before.rows.get(row) ?? before.rest,
      next.get(row) ?? rest.outcome,
      unknownStays(row),
    ),
  );
  const hasOthers = named.size < before.rowCount;
  if (isKept && (!hasOthers || canFollow(before.rest, rest.outcome, false))) return;
  throw new Error(`chunk ${chunk} of ${batchId} has paid rows that a new verdict calls unpaid`);
}
