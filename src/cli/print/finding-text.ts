import { rowsInWords } from '../../report/outcome-fields.ts';
import { withCommas } from '../../domain/text/counted.ts';
import type { FindingExample } from '../../domain/plan/finding.ts';
import type { Context } from '../context.ts';
import type { FindingView } from '../../operations/file/finding-view.ts';
import { printable } from '../terminal/printable.ts';

const STANDING: Readonly<Record<FindingView['severity'], string>> = {
  info: 'for your information',
  confirm: 'must be accepted',
  block: 'stops the batch',
};

/** A finding with its first rows, under an empty line. */
export function findingLines(finding: FindingView, colours: Context['colours']): string[] {
  const { code, severity, accepted, count, what, why, fix, examples } = finding;
  const standing = accepted && severity !== 'block' ? 'accepted' : STANDING[severity];
  // A finding of the whole file has no example rows.
  const isOfRows = examples.some(({ row }) => row > 0);
  const more = count - examples.length;
  return [
    '',
    `${colours.yellow(code)} (${standing}), ${rowsInWords(count)}`,
    `  ${what} ${why}`,
    `  ${fix}`,
    ...examples.flatMap(exampleLines),
    ...(isOfRows && more > 0 ? [`    and ${withCommas(more)} more`] : []),
  ];
}

/** The date in an instant of ISO 8601. */
const DATE_CHARS = 10;

function exampleLines({ row, detail, change }: FindingExample): string[] {
  const place = row > 0 ? `row ${row}` : '-';
  if (change === undefined) return [`    ${place}  ${printable(detail)}`.trimEnd()];
  const { payee, payment, address, before, batchId, paidAt } = change;
  const known =
    batchId === null || paidAt === null
      ? 'in the register of payees'
      : `last paid on ${paidAt.slice(0, DATE_CHARS)} in batch ${batchId}`;
  return [
    `    ${place}  ${printable(`${payee}, ${payment}`)}`,
    `      before  ${printable(`${before}  ${known}`)}`,
    `      now     ${printable(address)}`,
  ];
}
