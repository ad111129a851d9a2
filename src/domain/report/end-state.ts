import type { EndState } from '../batch/batch-state.ts';
import type { BalanceCheck } from '../funds/balance-check.ts';
import type { RowCounts } from './totals.ts';

/** What stands against the rows alone. `isTwice`: the service showed a second mass payout for a chunk. */
export type Doubts = Readonly<{
  isTwice?: boolean;
  balance?: BalanceCheck | undefined;
}>;

/**
 * The end of a planned batch, from its rows alone and never from a state of the service. FAILED only when no row was,
 * or could have been, paid. COMPLETED only when every row of the file was paid, and nothing more. Example: every row
 * was paid, and 5.000000 USDT_TRC20 more left the account than was ordered. The batch is PARTIAL, though a person
 * accepted the difference.
 */
export function endStateOf(
  rows: RowCounts,
  canceled: boolean,
  { isTwice = false, balance }: Doubts = {},
): EndState {
  const isMorePaid = isTwice || balance?.result === 'differs';
  if (rows.paid === rows.total) return isMorePaid ? 'PARTIAL' : 'COMPLETED';
  if (canceled) return 'CANCELED';
  return rows.paid === 0 && rows.unknown === 0 && rows.inFlight === 0 ? 'FAILED' : 'PARTIAL';
}
