import { BursarError } from '../errors/bursar-error.ts';
import { compareAmounts, parseAmount } from '../money/amount.ts';
import { parseSignedAmount } from '../money/signed-amount.ts';

/** What the submitter says the file holds. Each total is `AMOUNT` or `AMOUNT:CURRENCY`. */
export type ControlTotals = Readonly<{
  expectCount: number | null;
  expectTotals: readonly string[];
}>;

type CurrencyTotal = Readonly<{ currency: string; total: string }>;

/**
 * Holds the file against the submitter's control totals. Throws CONTROL_TOTAL_COUNT or CONTROL_TOTAL_AMOUNT.
 * Once a total is given, every currency of the file needs one: a forgotten currency is what totals are there to catch.
 */
export function checkControlTotals(
  expected: ControlTotals,
  found: Readonly<{ rows: number; currencies: readonly CurrencyTotal[] }>,
): void {
  const { expectCount, expectTotals } = expected;
  if (expectCount !== null && expectCount !== found.rows) {
    throw new BursarError('CONTROL_TOTAL_COUNT', {
      expected: String(expectCount),
      found: String(found.rows),
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
    });
  }
}

/** Totals as people confirm them: `1500.75:USDT_TRC20`, several with commas, in the order of the currencies' names. */
export const totalsText = (currencies: readonly CurrencyTotal[]): string =>
  [...currencies]
    .sort((a, b) => (a.currency < b.currency ? -1 : 1))
    .map(({ currency, total }) => `${total}:${currency}`)
    .join(',');

function isTotalOf(
  text: string,
  line: CurrencyTotal,
  found: Readonly<{ currencies: readonly CurrencyTotal[] }>,
): boolean {
  const [amount = '', currency] = text.split(':');
  const named = currency === undefined ? found.currencies.length === 1 : currency === line.currency;
  return named && compareAmounts(parseAmount(amount), parseSignedAmount(line.total)) === 0;
}
