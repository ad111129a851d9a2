import type { EndState } from '../batch/batch-state.ts';
import type { BalanceCheck } from '../funds/balance-check.ts';
import type { RowCounts } from './totals.ts';

/**
 * The end of a batch that was planned, from its rows alone: never from a word of the service.
 * COMPLETED only when every row of the file was paid; FAILED only when no row was, or could have been, paid.
 *
 * A balance that differs is never COMPLETED, though a person accepted the difference: every row was paid, and more besides.
 */
export function endStateOf(
  rows: RowCounts,
  canceled: boolean,
  balance?: Pick<BalanceCheck, 'result'>,
): EndState {
  const isPaid = rows.paid === rows.total;
  if (isPaid) return balance?.result === 'differs' ? 'PARTIAL' : 'COMPLETED';
  if (canceled) return 'CANCELED';
  return rows.paid === 0 && rows.unknown === 0 && rows.inFlight === 0 ? 'FAILED' : 'PARTIAL';
}
