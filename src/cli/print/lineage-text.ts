import { codeInSentence } from '../../domain/text/state-words.ts';
import { counted, withCommas } from '../../domain/text/counted.ts';
import type { BatchView, DoublePayment } from '../../domain/report/report.ts';

/** Rows that are named; `status -o json` has all. */
const ROWS_SHOWN_MAX = 10;

/** Which batches a batch belongs to, and rows that more than one of them has paid. */
export const lineageText = (view: BatchView): string[] => [
  ...relatives(view),
  ...alarms(view.paidTwice),
];

/** Rows in two mass payouts of one batch, and rows that two batches paid, have different causes. */
function alarms(rows: readonly DoublePayment[]): string[] {
  const within = rows.filter(({ massPayouts }) => massPayouts !== undefined);
  const between = rows.filter(({ massPayouts }) => massPayouts === undefined);
  return [
    ...(within.length === 0 ? [] : [alarm(within, TWO_PAYOUTS)]),
    ...(between.length === 0 ? [] : [alarm(between, RESEND_AND_PAID)]),
  ];
}

const TWO_PAYOUTS = {
  code: 'TWO_PAYOUTS',
  why: 'The service has more than one mass payout for them.',
} as const;
const RESEND_AND_PAID = {
  code: 'RESEND_AND_PAID',
  why: 'They were sent again here, and also in the interface of the service.',
} as const;

function relatives({ generation, parentBatchId, childBatchId }: BatchView): string[] {
  const lines = [
    ...(parentBatchId === null ? [] : [`Resend ${generation} of ${parentBatchId}.`]),
    ...(childBatchId === null
      ? []
      : [`Sent again as ${childBatchId}: bursar status ${childBatchId}`]),
  ];
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function alarm(
  rows: readonly DoublePayment[],
  { code, why }: Readonly<{ code: string; why: string }>,
): string {
  const certain = rows.filter(({ isCertain }) => isCertain).length;
  const what =
    certain > 0
      ? `Paid twice: ${withCommas(certain)} of ${withCommas(rows.length)} rows`
      : `Maybe paid twice: ${counted(rows.length, 'row')}`;
  const more = rows.length - ROWS_SHOWN_MAX;
  return [
    `${what} (${code})`,
    `  ${why}`,
    ...rows.slice(0, ROWS_SHOWN_MAX).map(({ row, batches, massPayouts = [] }) => {
      const where = batches
        .map(({ batchId, outcome }) => `${codeInSentence(outcome)} in ${batchId}`)
        .join(', ');
      const by = massPayouts.length === 0 ? '' : `, in mass payouts ${massPayouts.join(', ')}`;
      return `  row ${row}: ${where}${by}`;
    }),
    ...(more > 0 ? [`  and ${withCommas(more)} more`] : []),
    '  Check their mass payouts in the service now. You can still decline those that wait for a confirmation.',
  ].join('\n');
}
