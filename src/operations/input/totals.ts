import type { CurrencyTotal } from '../../domain/money/currency-total.ts';
import { isCurrency } from '../../domain/currencies/currency-info.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { canonicalAmount } from '../../domain/money/amount.ts';
import { totalsText } from '../../domain/plan/control-totals.ts';
import { flagInvalid } from './flag-error.ts';

/** Checks one `AMOUNT` or `AMOUNT:CURRENCY` of `--expect-total`. Throws FLAG_INVALID. */
export function readExpectedTotal(text: string): string {
  const [amount = '', currency, ...rest] = text.split(':');
  const isSound = rest.length === 0 && (currency === undefined || isCurrency(currency));
  if (isSound && canonicalAmount(amount) !== undefined) return text;
  throw flagInvalid('--expect-total', `"${text}" is not AMOUNT or AMOUNT:CURRENCY`);
}

/** Checks `--expect-count`. Throws FLAG_INVALID. */
export function readExpectedCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw flagInvalid('--expect-count', `"${text}" is not a number of rows`);
}

/** Checks `--currency`. Throws FLAG_INVALID. */
export function readCurrency(text: string): string {
  if (isCurrency(text)) return text;
  throw flagInvalid('--currency', `"${text}" is not a currency such as BTC or USDT_TRC20`);
}

/**
 * Compares typed totals (`TOTAL:CURRENCY`, several with commas) with the totals of a plan. "10.50" confirms 10.5, and
 * the order does not matter. Throws CONFIRMATION_WRONG.
 */
export function checkConfirmation(given: string, totals: readonly CurrencyTotal[]): void {
  if (byName(readTotals(given)) !== byName(totals)) {
    throw new BursarError('CONFIRMATION_WRONG', { given, expected: totalsText(totals) });
  }
}

const byName = (totals: readonly CurrencyTotal[]): string =>
  totalsText([...totals].sort((a, b) => (a.currency < b.currency ? -1 : 1)));

const readTotals = (text: string): CurrencyTotal[] =>
  text.split(',').map((one) => {
    const [amount = '', currency = ''] = one.trim().split(':');
    return { total: canonicalAmount(amount) ?? amount, currency };
  });
