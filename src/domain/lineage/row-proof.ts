import type { RowNumber } from '../rows/row.ts';
import type { ChunkVerdict, Outcome } from '../settling/outcome.ts';
import type { LaterWord } from './later-word.ts';

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
export function proofBy(
  { fresh, isAllTold }: Readonly<{ fresh: ChunkVerdict; isAllTold: boolean }>,
  { verdict }: LaterWord,
): ProvesUnpaid {
  const own = new Map(fresh.rows.map((each) => [each.row, each.outcome]));
  const kept = new Map(verdict.rows.map((each) => [each.row, each.outcome]));
  return (row) => {
    const told = own.get(row) ?? (isAllTold ? fresh.rest.outcome : undefined);
    const outcome = kept.get(row) ?? verdict.rest.outcome;
    if (!UNPAID.includes(outcome)) return outcome;
    if (told === undefined) return 'unread';
    return fresh.final && UNPAID.includes(told) ? 'unpaid' : told;
  };
}
