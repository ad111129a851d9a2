import type { CurrencyTotal } from '../money/currency-total.ts';
import { groupDigits } from './counted.ts';

/** An amount as people read it: `1,234.5`. Every digit stays, and a text that is no plain decimal stays as it is. */
export const groupedAmount = (amount: string): string =>
  amount.replace(
    /^(-?)(\d{1,48})(?=(?:\.\d+)?$)/,
    (_, sign: string, whole: string) => sign + groupDigits(whole),
  );

/** An amount with its currency behind it: `1,234.5 USDT_TRC20`. */
export const moneyText = (amount: string, currency: string): string =>
  `${groupedAmount(amount)} ${currency}`;

/** The totals of a file or a batch: `1,234.5 USDT_TRC20, 7 BTC`. */
export const moneyList = (totals: readonly CurrencyTotal[]): string =>
  totals.map(({ total, currency }) => moneyText(total, currency)).join(', ');
