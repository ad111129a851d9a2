import { rowsInWords } from '../../report/outcome-fields.ts';
import { withCommas } from '../../domain/text/counted.ts';
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
    ...examples.map(({ row, detail }) =>
      `    ${row > 0 ? `row ${row}` : '-'}  ${printable(detail)}`.trimEnd(),
    ),
    ...(isOfRows && more > 0 ? [`    and ${withCommas(more)} more`] : []),
  ];
}
