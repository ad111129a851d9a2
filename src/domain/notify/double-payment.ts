import type { DoublePayment } from '../report/report.ts';
import type { NotifiableEvent } from './events.ts';

/** Rows that are named; `status` names all. */
const ROWS_NAMED_MAX = 20;

/** The event that rows were paid by more than one batch of a lineage, or may have been. */
export function doublePaymentNews(
  batchId: string,
  rows: readonly DoublePayment[],
): NotifiableEvent {
  const named = rows.slice(0, ROWS_NAMED_MAX).map(({ row }) => String(row));
  return {
    event: 'batch.needs_operator',
    batchId,
    key: `paid twice ${rows.length}: ${named.join(',')}`,
    data: {
      batchId,
      why: 'rows were paid twice, or may have been',
      count: rows.length,
      rows: named,
    },
  };
}
