import { BursarError } from '../../domain/errors/bursar-error.ts';
import { compareAmounts, parseAmount } from '../../domain/money/amount.ts';
import type { Finding, FindingCode, FindingExample } from '../../domain/plan/finding.ts';
import type { Row, RowNumber } from '../../domain/rows/row.ts';
import { moneyText } from '../../domain/text/money-text.ts';
import { payeeDetails, type PayeeFacts } from './payee-details.ts';

/** Reads accepted rows by their numbers, from the store or from the file. */
export type ReadRowsByNumber = (numbers: readonly RowNumber[]) => Promise<readonly Row[]>;

/**
 * Findings whose rows get their payment as text. A number alone would need a look into the file.
 */
const CODES_WITH_TEXT: readonly FindingCode[] = [
  'ADDRESS_CHANGED',
  'NAME_DIFFERS',
  'DUPLICATE_ROW',
  'DUPLICATE_IN_HISTORY',
  'LOOK_ALIKE_ADDRESS',
  'OWN_ADDRESS',
  'PAYEE_DENIED',
  'PAYEE_UNKNOWN',
  'FIRST_TIME_PAYEE',
  'AMOUNT_ABOVE_HABIT',
];

/**
 * Returns the findings with the payment of each named row as text, as in
 * `10 USDT_TRC20 to TJRab...; same as row 2`.
 * @throws INTERNAL when a named row does not exist.
 */
export async function withRowTexts(
  findings: readonly Finding[],
  rowsAt: ReadRowsByNumber,
  facts: PayeeFacts,
): Promise<Finding[]> {
  const withText = findings.filter(({ code }) => CODES_WITH_TEXT.includes(code));
  const numbers = new Set(withText.flatMap(({ examples }) => examples.map(({ row }) => row)));
  const rows = new Map((await rowsAt([...numbers])).map((row) => [row.row, row]));
  const details = await payeeDetails(withText, rows, facts);
  const exampleWithText = (code: FindingCode, { row, detail: given, ...known }: FindingExample) => {
    const paid = paymentOf(rows.get(row) ?? missing(row));
    const { detail, ...more } = details[code]?.get(row) ?? { detail: given };
    return { row, detail: detail === '' ? paid : `${paid}; ${detail}`, ...known, ...more };
  };
  return findings.map((finding) =>
    withText.includes(finding)
      ? {
          ...finding,
          examples: inOrder(finding, rows).map((each) => exampleWithText(finding.code, each)),
        }
      : finding,
  );
}

/** New addresses stand by currency and amount, the largest first. Other findings keep the order of the file. */
function inOrder(
  { code, examples }: Finding,
  rows: ReadonlyMap<RowNumber, Row>,
): readonly FindingExample[] {
  if (code !== 'FIRST_TIME_PAYEE') return examples;
  const rowOf = ({ row }: FindingExample): Row => rows.get(row) ?? missing(row);
  const currencies = [...new Set(examples.map((example) => rowOf(example).currency))];
  return examples.toSorted((one, other) => {
    const [a, b] = [rowOf(one), rowOf(other)];
    return (
      currencies.indexOf(a.currency) - currencies.indexOf(b.currency) ||
      compareAmounts(parseAmount(b.amount), parseAmount(a.amount)) ||
      a.row - b.row
    );
  });
}

const paymentOf = ({ amount, currency, address, reference, name }: Row): string => {
  const payee = name === '' ? address : `${name}, ${address}`;
  return `${moneyText(amount, currency)} to ${payee}${reference === '' ? '' : ` for ${reference}`}`;
};

function missing(row: RowNumber): never {
  throw new BursarError('INTERNAL', {
    message: `a finding names row ${row}, which does not exist`,
  });
}
