import { BursarError } from '../errors/bursar-error.ts';

/**
 * An exact amount, equal to `units / 10 ** scale`, kept canonical: no trailing zero in the fraction,
 * so that equal amounts have equal fields. 12.50 is `{ units: 125n, scale: 1 }`.
 */
export type Amount = Readonly<{ units: bigint; scale: number }>;

/** Digits before the decimal point that an amount may have. Bounds the work that a hostile text can cause. */
export const INTEGER_DIGITS_MAX = 30;
/** Digits after the decimal point that an amount may have, in any currency. */
export const FRACTION_DIGITS_MAX = 36;

export const ZERO: Amount = { units: 0n, scale: 0 };

/** The form of an amount, without its checks of sign and zero. */
export const PLAIN_DECIMAL = /^(?:0|[1-9]\d{0,29})(?:\.\d{1,36})?$/;
const ZERO_DIGIT = 0x30;
const POWERS_OF_TEN = Array.from({ length: FRACTION_DIGITS_MAX + 1 }, (_, n) => 10n ** BigInt(n));

/**
 * Reads a plain decimal: digits, at most one point, no sign, no exponent, no separators, no leading zero.
 * Throws AMOUNT_NOT_DECIMAL for anything else. Zero is an amount; see {@link isPositive}.
 */
export function parseAmount(text: string): Amount {
  if (!PLAIN_DECIMAL.test(text)) {
    throw new BursarError('AMOUNT_NOT_DECIMAL', { text: text.slice(0, 60) });
  }
  const point = text.indexOf('.');
  if (point === -1) return { units: BigInt(text), scale: 0 };
  let end = text.length;
  while (text.charCodeAt(end - 1) === ZERO_DIGIT) end -= 1;
  const units = BigInt(text.slice(0, point) + text.slice(point + 1, end));
  return { units, scale: end - point - 1 };
}

/** The canonical form of a plain decimal, `12.5` for `12.50`; undefined for a text that is none. */
export const canonicalAmount = (text: string): string | undefined =>
  PLAIN_DECIMAL.test(text) ? formatAmount(parseAmount(text)) : undefined;

/** Writes the canonical plain decimal: no exponent, no trailing zero, "-" only before a value below zero. */
export function formatAmount(amount: Amount): string {
  const digits = (amount.units < 0n ? -amount.units : amount.units)
    .toString()
    .padStart(amount.scale + 1, '0');
  const point = digits.length - amount.scale;
  const sign = amount.units < 0n ? '-' : '';
  return amount.scale === 0
    ? `${sign}${digits}`
    : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

export function addAmounts(a: Amount, b: Amount): Amount {
  const scale = Math.max(a.scale, b.scale);
  return canonical(unitsAt(a, scale) + unitsAt(b, scale), scale);
}

/** The difference may be below zero: a shortfall is a fact, not an error. */
export function subtractAmounts(a: Amount, b: Amount): Amount {
  return addAmounts(a, { units: -b.units, scale: b.scale });
}

export function multiplyAmount(a: Amount, count: number): Amount {
  if (!Number.isSafeInteger(count))
    throw new RangeError('an amount is multiplied by whole numbers');
  return canonical(a.units * BigInt(count), a.scale);
}

export function sumAmounts(amounts: Iterable<Amount>): Amount {
  let units = 0n;
  let scale = 0;
  for (const amount of amounts) {
    if (amount.scale > scale) {
      units *= powerOfTen(amount.scale - scale);
      scale = amount.scale;
    }
    units += unitsAt(amount, scale);
  }
  return canonical(units, scale);
}

/** Below zero when `a` is the smaller, zero when equal, above zero when `a` is the larger. */
export function compareAmounts(a: Amount, b: Amount): number {
  const scale = Math.max(a.scale, b.scale);
  const difference = unitsAt(a, scale) - unitsAt(b, scale);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

export const isPositive = (amount: Amount): boolean => amount.units > 0n;

function unitsAt(amount: Amount, scale: number): bigint {
  return amount.scale === scale ? amount.units : amount.units * powerOfTen(scale - amount.scale);
}

function canonical(units: bigint, scale: number): Amount {
  let [kept, keptScale] = [units, scale];
  while (keptScale > 0 && kept % 10n === 0n) {
    kept /= 10n;
    keptScale -= 1;
  }
  return { units: kept, scale: keptScale };
}

const powerOfTen = (exponent: number): bigint => POWERS_OF_TEN[exponent] ?? 10n ** BigInt(exponent);
