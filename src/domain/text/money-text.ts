import { currencyInfo, isCurrency } from '../currencies/currency-info.ts';
import type { CurrencyTotal } from '../money/currency-total.ts';
import { groupDigits } from './counted.ts';

/** An amount in groups of three: `1,234.5`. Every digit stays, and a text that is no plain decimal stays as it is. */
export const groupedAmount = (amount: string): string =>
  amount.replace(
    /^(-?)(\d{1,48})(?=(?:\.\d+)?$)/,
    (_, sign: string, whole: string) => sign + groupDigits(whole),
  );

/** Decimals that people expect of money. */
const DECIMALS_SHOWN_MIN = 2;

/**
 * An amount of a currency as people read it: `1,234.50`. It has at least two decimals where the currency is known to have
 * them. Nothing is rounded.
 *
 * @example amountText('1234.5', 'USDT_TRC20') // 1,234.50
 */
export const amountText = (amount: string, currency: string): string =>
  groupedAmount(decimalText(amount, currency));

/** {@link amountText} without groups, as it is copied into other programs: `1234.50`. */
export function decimalText(amount: string, currency: string): string {
  const { decimals = 0 } = currencyInfo(currency);
  return decimals < DECIMALS_SHOWN_MIN ? amount : withDecimals(amount);
}

const withDecimals = (amount: string): string =>
  amount.replace(
    /^(-?\d+)(?:\.(\d*))?$/,
    (_, whole: string, fraction = '') => `${whole}.${fraction.padEnd(DECIMALS_SHOWN_MIN, '0')}`,
  );

/** A currency as people read it: `USDT (TRC20)`. Commands, files and JSON have the code `USDT_TRC20`. */
export function currencyText(currency: string): string {
  const [ticker = '', network] = isCurrency(currency) ? currency.split('_') : [];
  return network === undefined ? currency : `${ticker} (${network})`;
}

/** An amount with its currency behind it: `1,234.50 USDT (TRC20)`. */
export const moneyText = (amount: string, currency: string): string =>
  `${amountText(amount, currency)} ${currencyText(currency)}`;

const WRITTEN = /^(-?\d{1,48}(?:\.\d{1,48})?)[: ]([A-Z0-9_]{2,32})$/;

/**
 * An amount, with the code of its currency or without, as flags and records have it, for people. Any other text stays as it is.
 *
 * @example writtenMoneyText('1000:USDT_TRC20') // 1,000.00 USDT (TRC20)
 */
export const writtenMoneyText = (text: string): string =>
  groupedAmount(
    text.replace(WRITTEN, (_, amount: string, currency: string) => moneyText(amount, currency)),
  );

/** {@link writtenMoneyText} of several, with commas between them. */
export const writtenTotalsText = (totals: string): string =>
  totals.split(/, ?/).map(writtenMoneyText).join(', ');

/** The totals of a file or a batch: `1,234.50 USDT (TRC20), 7.00 BTC`. */
export const moneyList = (totals: readonly CurrencyTotal[]): string =>
  totals.map(({ total, currency }) => moneyText(total, currency)).join(', ');
