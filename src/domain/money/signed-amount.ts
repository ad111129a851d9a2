import { BursarError } from '../errors/bursar-error.ts';
import type { Amount } from './amount.ts';

/** As an amount, with room for the sum of 10^18 of the largest ones, and "-" before a value below zero. */
const WRITTEN = /^(-?)(0|[1-9]\d{0,47})(?:\.(\d{1,36}))?$/;

/** Whether {@link parseSignedAmount} reads the text. */
export const isSignedAmount = (text: string): boolean => WRITTEN.test(text);

/**
 * Reads the text of {@link formatAmount}: our own sums, balances and differences. `parseAmount` reads the text of a
 * merchant; it takes no sign and fewer digits. Throws AMOUNT_NOT_DECIMAL.
 */
export function parseSignedAmount(text: string): Amount {
  const match = WRITTEN.exec(text);
  if (match === null) throw new BursarError('AMOUNT_NOT_DECIMAL', { text: text.slice(0, 60) });
  const [, sign, whole, decimals = ''] = match;
  const fraction = decimals.replace(/0+$/, '');
  const units = BigInt(`${whole}${fraction}`);
  if (sign === '-' && units === 0n) throw new BursarError('AMOUNT_NOT_DECIMAL', { text });
  return { units: sign === '-' ? -units : units, scale: fraction.length };
}
