import type { RowNumber } from '../rows/row.ts';
import type { ChunkVerdict, Outcome } from '../settling/outcome.ts';
import type { LaterWord } from './later-word.ts';

/**
 * What one look of now says of a row that is to be paid again. `unpaid`: this very look proved it. `unread`: it told nothing
 * of the row. Anything else is what became of the row, and it must not be paid again.
 */
export type RowProof = 'unpaid' | 'unread' | Outcome;

/** Whether a look proved that a row was not paid. */
export type ProvesUnpaid = (row: RowNumber) => RowProof;

/** Outcomes with which a row was not paid. */
const UNPAID: readonly Outcome[] = ['FAILED', 'NOT_SENT'];

/**
 * A row is proven unpaid only by what was told just now, and only if what is written down agrees. A row that nothing was told
 * of keeps its outcome, and proves nothing.
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
