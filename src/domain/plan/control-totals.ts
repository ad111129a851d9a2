import type { CurrencyTotal } from '../money/currency-total.ts';
import { BursarError } from '../errors/bursar-error.ts';
import { compareAmounts, parseAmount } from '../money/amount.ts';
import type { TotalRow } from '../rows/total-row.ts';
import { parseSignedAmount } from '../money/signed-amount.ts';

/**
 * The count and totals that a person expects of a file. Each total is `AMOUNT` or `AMOUNT:CURRENCY`; null and an empty
 * list: none given.
 */
export type ControlTotals = Readonly<{
  expectCount: number | null;
  expectTotals: readonly string[];
}>;

/** Where control totals were given, as errors name it. */
export type SaidIn = Readonly<{ count: string; total: string }>;

const IN_FLAGS: SaidIn = { count: '--expect-count', total: '--expect-total' };
/** The line of the file that starts with #. */
export const IN_CONTROL_LINE: SaidIn = { count: 'its control line', total: 'its control line' };

/** The last row of the file, where it is a total. */
const inTotalRow = (row: number): SaidIn => ({ count: '', total: `its total in row ${row}` });

/** The counts of a file. `currencies`: the sums of its accepted rows. */
export type FoundTotals = Readonly<{
  rows: number;
  refusedRows?: number;
  currencies: readonly CurrencyTotal[];
}>;

/** Holds the rows against the total below them. @throws CONTROL_TOTAL_AMOUNT */
export function checkTotalRow({ row, total, currency }: TotalRow, found: FoundTotals): void {
  const named = found.currencies.filter((line) => line.currency === currency);
  const currencies = named.length === 0 ? found.currencies : named;
  const text = currency === null ? total : `${total}:${currency}`;
  const expected = { expectCount: null, expectTotals: [text] };
  checkControlTotals(expected, { ...found, currencies }, inTotalRow(row));
}

/**
 * Holds the file against control totals. Throws CONTROL_TOTAL_COUNT or CONTROL_TOTAL_AMOUNT.
 * Once a total is given, every currency of the file needs one: a forgotten currency is what totals are there to catch.
 */
export function checkControlTotals(
  expected: ControlTotals,
  found: FoundTotals,
  says: SaidIn = IN_FLAGS,
): void {
  const { expectCount, expectTotals } = expected;
  if (expectCount !== null && expectCount !== found.rows) {
    throw new BursarError('CONTROL_TOTAL_COUNT', {
      expected: String(expectCount),
      found: String(found.rows),
      says: says.count,
    });
  }
  if (expectTotals.length === 0) return;
  const same =
    expectTotals.length === found.currencies.length &&
    found.currencies.every((line) => expectTotals.some((text) => isTotalOf(text, line, found)));
  if (!same) {
    throw new BursarError('CONTROL_TOTAL_AMOUNT', {
      expected: expectTotals.join(', '),
      found: totalsText(found.currencies),
      says: says.total,
      ...(found.refusedRows === undefined ? {} : { refused: found.refusedRows }),
    });
  }
}

/** Totals as people confirm them: `1500.75:USDT_TRC20`, several with commas, in the order in which they are given. */
export const totalsText = (currencies: readonly CurrencyTotal[]): string =>
  currencies.map(({ currency, total }) => `${total}:${currency}`).join(',');

function isTotalOf(
  text: string,
  line: CurrencyTotal,
  found: Readonly<{ currencies: readonly CurrencyTotal[] }>,
): boolean {
  const [amount = '', currency] = text.split(':');
  const named = currency === undefined ? found.currencies.length === 1 : currency === line.currency;
  return named && compareAmounts(parseAmount(amount), parseSignedAmount(line.total)) === 0;
}
