import { counted } from '../../domain/text/counted.ts';
import type { BatchView, DoublePayment } from '../../domain/report/report.ts';
import { withCommas } from '../../report/outcome-fields.ts';

/** Rows that are named; `status -o json` has all. */
const ROWS_SHOWN_MAX = 10;

/** Which batches a batch belongs to, and rows that more than one of them has paid. */
export const lineageText = (view: BatchView): string[] => [
  ...relatives(view),
  ...(view.paidTwice.length === 0 ? [] : [alarm(view.paidTwice)]),
];

function relatives({ generation, parentBatchId, childBatchId }: BatchView): string[] {
  const lines = [
    ...(parentBatchId === null ? [] : [`Resend ${generation} of ${parentBatchId}.`]),
    ...(childBatchId === null
      ? []
      : [`Sent again as ${childBatchId}: bursar status ${childBatchId}`]),
  ];
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function alarm(rows: readonly DoublePayment[]): string {
  const certain = rows.filter(({ isCertain }) => isCertain).length;
  const what =
    certain > 0
      ? `PAID TWICE: ${withCommas(certain)} of ${withCommas(rows.length)} rows`
      : `MAY BE PAID TWICE: ${counted(rows.length, 'row')}`;
  const more = rows.length - ROWS_SHOWN_MAX;
  return [
    `${what} (RESEND_AND_PAID)`,
    '  They were sent again here, and in the interface of the service as well.',
    ...rows
      .slice(0, ROWS_SHOWN_MAX)
      .map(
        ({ row, batches }) =>
          `  row ${row}: ${batches.map(({ batchId, outcome }) => `${outcome} in ${batchId}`).join(', ')}`,
      ),
    ...(more > 0 ? [`  and ${withCommas(more)} more`] : []),
    '  Look at their mass payouts in the service now; what waits there for a confirmation can still be declined.',
  ].join('\n');
}
