import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { Finding, FindingCode } from '../../domain/plan/finding.ts';
import type { Row, RowNumber } from '../../domain/rows/row.ts';

/** Gives accepted rows by their numbers: from the store, or from the file. */
export type RowsAt = (numbers: readonly RowNumber[]) => Promise<readonly Row[]>;

/** Findings that would name a row by its number alone: no person could check it without opening the file. */
const TOLD: readonly FindingCode[] = [
  'DUPLICATE_ROW',
  'DUPLICATE_IN_HISTORY',
  'LOOK_ALIKE_ADDRESS',
  'OWN_ADDRESS',
  'FIRST_TIME_PAYEE',
  'AMOUNT_ABOVE_HABIT',
];

/**
 * The same findings; each named row is shown with its amount and recipient. Throws INTERNAL when there is no such row.
 */
export async function withRowsInWords(
  findings: readonly Finding[],
  rowsAt: RowsAt,
): Promise<Finding[]> {
  const told = findings.filter(({ code }) => TOLD.includes(code));
  const numbers = new Set(told.flatMap(({ examples }) => examples.map(({ row }) => row)));
  const rows = new Map((await rowsAt([...numbers])).map((row) => [row.row, row]));
  const inWords = ({ row, detail }: Example): Example => {
    const paid = paymentOf(rows.get(row) ?? missing(row));
    return { row, detail: detail === '' ? paid : `${paid}; ${detail}` };
  };
  return findings.map((finding) =>
    told.includes(finding) ? { ...finding, examples: finding.examples.map(inWords) } : finding,
  );
}

type Example = Finding['examples'][number];

const paymentOf = ({ amount, currency, address }: Row): string =>
  `${amount} ${currency} to ${address}`;

function missing(row: RowNumber): never {
  throw new BursarError('INTERNAL', { message: `row ${row}, which a finding names, is not there` });
}
