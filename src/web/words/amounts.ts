import { withCommas } from '../../domain/text/counted.ts';

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

/** The places of amounts between the lowest and the highest, in thousandths, for a curve. It is a picture and never a sum. */
export function sharesOf(amounts: readonly string[]): readonly number[] {
  const units = amounts.map(unitsOf);
  const low = units.reduce((a, b) => (a < b ? a : b), 0n);
  const high = units.reduce((a, b) => (a > b ? a : b), 0n);
  return units.map((one) => (high > low ? Number(((one - low) * 1_000n) / (high - low)) : 0));
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
