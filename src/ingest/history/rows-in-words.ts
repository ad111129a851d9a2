import type { Finding, FindingCode } from '../../domain/plan/finding.ts';
import type { Row, RowNumber } from '../../domain/rows/row.ts';

/** Gives accepted rows by their numbers: from the store, or from the file. */
export type RowsAt = (numbers: readonly RowNumber[]) => Promise<readonly Row[]>;

/** Findings that would name a row by its number alone: nobody could check it without opening the file. */
const TOLD: readonly FindingCode[] = [
  'DUPLICATE_ROW',
  'DUPLICATE_IN_HISTORY',
  'LOOK_ALIKE_ADDRESS',
  'OWN_ADDRESS',
  'FIRST_TIME_PAYEE',
  'AMOUNT_ABOVE_HABIT',
];

/** The same findings; each row that they name is told with what it pays to whom. */
export async function withRowsInWords(
  findings: readonly Finding[],
  rowsAt: RowsAt,
): Promise<Finding[]> {
  const told = findings.filter(({ code }) => TOLD.includes(code));
  const numbers = new Set(told.flatMap(({ examples }) => examples.map(({ row }) => row)));
  const rows = new Map((await rowsAt([...numbers])).map((row) => [row.row, inWords(row)]));
  return findings.map((finding) =>
    told.includes(finding)
      ? {
          ...finding,
          examples: finding.examples.map(({ row, detail }) => ({
            row,
            detail: [rows.get(row) ?? '', detail].filter(Boolean).join('; '),
          })),
        }
      : finding,
  );
}

const inWords = ({ amount, currency, address }: Row): string =>
  `${amount} ${currency} to ${address}`;
