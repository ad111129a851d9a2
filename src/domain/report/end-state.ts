import type { EndState } from '../batch/batch-state.ts';
import type { RowCounts } from './totals.ts';

/**
 * The end of a batch that was planned, from its rows alone: never from a word of the service.
 * COMPLETED only when every row of the file was paid, and no row may have been paid twice; FAILED only when no row was, or
 * could have been, paid.
 */
export function endStateOf(rows: RowCounts, canceled: boolean, mayBePaidTwice = false): EndState {
  if (rows.paid === rows.total) return mayBePaidTwice ? 'PARTIAL' : 'COMPLETED';
  if (canceled) return 'CANCELED';
  return rows.paid === 0 && rows.unknown === 0 && rows.inFlight === 0 ? 'FAILED' : 'PARTIAL';
}
