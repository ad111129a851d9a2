import type { BatchRecord } from '../store/batches/types.ts';
import { standingOf, tellingOf } from '../domain/lineage/lineage.ts';
import type { RowNumber } from '../domain/rows/row.ts';
import { type LineageRow, lineageRows } from './lineage-rows.ts';
import type { Store } from '../store/index.ts';

/** A row that no batch of its lineage has paid, by proof, with outcome and reason of the newest. */
export type UnpaidRow = Readonly<{ line: LineageRow; reason: string; outcome: string }>;

/** A row that may have been paid, or was paid twice, with the batch that shows it. */
export type UnclearRow = Readonly<{ row: RowNumber; batchId: string; outcome: string }>;

/**
 * Reads the rows of a lineage that may be sent again, in file order.
 * `onUnclear` receives every row whose payment is neither proven nor excluded.
 * Example: row 7 is FAILED in the batch and UNKNOWN in its resend. It is unclear, and not sent
 * again.
 */
export async function* unpaidRows(
  store: Store,
  line: readonly BatchRecord[],
  onUnclear: (row: UnclearRow) => void = () => undefined,
): AsyncGenerator<UnpaidRow> {
  for await (const each of lineageRows(store, line)) {
    const standing = standingOf(each.history);
    const telling = tellingOf(each.history);
    if (standing === 'UNPAID') {
      yield { line: each, reason: telling?.own.reason ?? '', outcome: telling?.outcome ?? '' };
    } else if (standing !== 'PAID') {
      const { batchId = '', outcome = 'UNKNOWN' } = telling ?? {};
      onUnclear({ row: each.row.row, batchId, outcome });
    }
  }
}
