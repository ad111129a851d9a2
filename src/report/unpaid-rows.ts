import type { BatchRecord } from '../store/batches/types.ts';
import { standingOf, tellingOf } from '../domain/lineage/lineage.ts';
import type { RowNumber } from '../domain/rows/row.ts';
import { type LineageRow, lineageRows, type LineageStore } from './lineage-rows.ts';

/** A row that every batch of its lineage that holds it has provably not paid, with the words of the newest. */
export type UnpaidRow = Readonly<{ line: LineageRow; reason: string; outcome: string }>;

/** What is in the way of the others. */
export type UnclearRow = Readonly<{ row: RowNumber; batchId: string; outcome: string }>;

/**
 * The rows of a lineage that may be sent again, in the order of the file. `onUnclear` is told of every row of which nobody
 * can say so, or that may even have been paid twice.
 */
export async function* unpaidRows(
  store: LineageStore,
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
