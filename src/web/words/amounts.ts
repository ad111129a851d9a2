import { withCommas } from '../../domain/text/counted.ts';
import { groupedAmount } from '../../domain/text/money-text.ts';

/** Digits behind the point that people expect of money. */
const DIGITS_MIN = 2;

/**
 * An amount as people read it: groups of three, and at least two digits behind the point. Nothing is rounded, and a text
 * that is no plain decimal stays as it is.
 *
 * @example amountText('132408.2') // 132,408.20
 */
export function amountText(amount: string): string {
  if (!/^-?\d+(?:\.\d+)?$/.test(amount)) return amount;
  const [whole = '', rest = ''] = amount.split('.');
  return `${groupedAmount(whole)}.${rest.padEnd(DIGITS_MIN, '0')}`;
}

/** A currency as people read it: `USDT (TRC20)` for `USDT_TRC20`. */
export const currencyText = (currency: string): string =>
  currency.replace(/^([A-Z0-9]+)_([A-Z0-9]+)$/, '$1 ($2)');

/** @example moneyOf('12.5', 'USDT_TRC20') // 12.50 USDT (TRC20) */
export const moneyOf = (amount: string, currency: string): string =>
  `${amountText(amount)} ${currencyText(currency)}`;

/** The amount that a person typed, as the server reads it: groups and spaces are taken out. Another text stays as it is. */
export function typedAmount(text: string): string {
  const plain = text.trim();
  return /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(plain) ? plain.replaceAll(',', '') : plain;
}

/** The share of an amount in a whole, in thousandths, for a bar. It is a picture and never a sum. */
export function shareOf(part: string, whole: string): number {
  const [units, of] = [unitsOf(part), unitsOf(whole)];
  if (of <= 0n || units <= 0n) return 0;
  return Number((units * 1_000n) / of);
}

/** Enough digits behind the point for a bar. */
const SCALE = 12;

function unitsOf(amount: string): bigint {
  const [whole = '0', rest = ''] = amount.split('.');
  const digits = `${whole}${rest.slice(0, SCALE).padEnd(SCALE, '0')}`;
  return /^-?\d{1,60}$/.test(digits) ? BigInt(digits) : 0n;
}

/** A count as people read it. Never for amounts. */
export const countText = (count: number): string => withCommas(count);
