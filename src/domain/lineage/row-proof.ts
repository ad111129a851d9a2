import type { RowNumber } from '../rows/row.ts';
import type { ChunkOutcomes, Outcome } from '../settling/outcome.ts';
import type { MergedRecheck } from './merge-recheck.ts';

/**
 * The result of one present read for a row that is to be paid again. `unpaid`: this read proved it. `unread`: it did
 * not cover the row. Any other value is the outcome of the row, which must not be paid again.
 */
export type RowProof = 'unpaid' | 'unread' | Outcome;

/** Whether a read proved that a row was not paid. */
export type ProvesUnpaid = (row: RowNumber) => RowProof;

/** Outcomes with which a row was not paid. */
const UNPAID: readonly Outcome[] = ['FAILED', 'NOT_SENT'];

/**
 * A row is proven unpaid only by a present read, and only if the store agrees. A row that the read did not cover keeps
 * its outcome, and is not proven.
 */
export function unpaidProof(
  { fresh, coversAllRows }: Readonly<{ fresh: ChunkOutcomes; coversAllRows: boolean }>,
  { merged }: MergedRecheck,
): ProvesUnpaid {
  const own = new Map(fresh.rows.map((each) => [each.row, each.outcome]));
  const kept = new Map(merged.rows.map((each) => [each.row, each.outcome]));
  return (row) => {
    const fromRead = own.get(row) ?? (coversAllRows ? fresh.defaultOutcome.outcome : undefined);
    const outcome = kept.get(row) ?? merged.defaultOutcome.outcome;
    if (!UNPAID.includes(outcome)) return outcome;
    if (fromRead === undefined) return 'unread';
    return fresh.final && UNPAID.includes(fromRead) ? 'unpaid' : fromRead;
  };
}
