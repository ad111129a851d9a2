import { type Amount, formatAmount, parseAmount } from './amount.ts';

/**
 * A number of a spreadsheet as decimal text, or the reason why it has none. `exponent`: it is written with an exponent.
 * `digits`: digits before its point may have been lost. `noise`: it is the result of a calculation, which no decimal of
 * 15 digits stands for. `none`: it is no number.
 */
export type StoredDecimal =
  | Readonly<{ ok: true; text: string }>
  | Readonly<{ ok: false; fault: 'exponent' | 'digits' | 'noise' | 'none' }>;

/** Significant digits that a spreadsheet keeps of a number that a person types. */
const DIGITS_KEPT = 15;
/** Significant digits that name a double. */
const DIGITS_OF_DOUBLE = 17;
/** Characters of a number. A longer one is damage, and would take long to calculate with. */
const CHARS_MAX = 38;

const PLAIN = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const WITH_EXPONENT = /^-?\d+(?:\.\d+)?e[+-]?\d+$/i;

/**
 * Returns the decimal that a spreadsheet stored as this number. Nothing is rounded: a text of up to 15 digits stays as
 * it is. Spreadsheets keep a number as a double, and Excel writes 17 digits of it, `1.1000000000000001` for 1.1. Each
 * decimal of up to 15 digits has a double of its own, so a person typed the one with the same double. The result of
 * 0.1 + 0.2 has another double than 0.3, and is refused.
 */
export function storedDecimal(text: string): StoredDecimal {
  if (WITH_EXPONENT.test(text)) return { ok: false, fault: 'exponent' };
  if (!PLAIN.test(text) || text.length > CHARS_MAX) return { ok: false, fault: 'none' };
  const [integer = ''] = withoutSign(text).split('.');
  if (significant(integer).length > DIGITS_KEPT) return { ok: false, fault: 'digits' };
  const digits = significant(withoutSign(text).replace('.', '')).length;
  if (digits <= DIGITS_KEPT) return { ok: true, text };
  const short = shortDecimal(text);
  return digits <= DIGITS_OF_DOUBLE && isSameDouble(text, short)
    ? { ok: true, text: short }
    : { ok: false, fault: 'noise' };
}

const withoutSign = (text: string): string => text.replace('-', '');
const significant = (digits: string): string => digits.replace(/^0+/, '');

/** The nearest decimal of 15 digits, as a spreadsheet shows a number. It is compared, and never paid. */
export function shortDecimal(text: string): string {
  if (!PLAIN.test(text) || text.length > CHARS_MAX) return text;
  const [integer = '', fraction = ''] = withoutSign(text).split('.');
  const surplus = significant(integer + fraction).length - DIGITS_KEPT;
  if (surplus <= 0 || surplus > fraction.length) return text;
  const unit = 10n ** BigInt(surplus);
  const units = (BigInt(integer + fraction) + unit / 2n) / unit;
  const sign = text.startsWith('-') ? '-' : '';
  return sign + formatAmount(canonical(units, fraction.length - surplus));
}

function canonical(units: bigint, scale: number): Amount {
  return units % 10n === 0n && scale > 0 ? canonical(units / 10n, scale - 1) : { units, scale };
}

/** Whether both decimals have the same nearest double. */
function isSameDouble(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => nearestDouble(parseAmount(withoutSign(text))));
  return one?.bits === other?.bits && one?.exponent === other?.exponent;
}

/** The bits in the fraction of a double. */
const FRACTION_BITS = 53;

/** The double nearest to an amount, as `bits * 2 ** exponent`; half way between two, the one with even bits. */
function nearestDouble({ units, scale }: Amount): Readonly<{ bits: bigint; exponent: number }> {
  if (units === 0n) return { bits: 0n, exponent: 0 };
  const divisor = 10n ** BigInt(scale);
  let exponent = bitLength(units) - bitLength(divisor) - FRACTION_BITS;
  if (bitLength(quotient(units, divisor, exponent).whole) > FRACTION_BITS) exponent += 1;
  const { whole, isUp } = quotient(units, divisor, exponent);
  const bits = isUp ? whole + 1n : whole;
  return bitLength(bits) > FRACTION_BITS
    ? { bits: bits / 2n, exponent: exponent + 1 }
    : { bits, exponent };
}

const bitLength = (value: bigint): number => value.toString(2).length;

/** `units / divisor / 2 ** exponent` without its fraction, and whether that is rounded up. */
function quotient(units: bigint, divisor: bigint, exponent: number) {
  const shift = BigInt(Math.abs(exponent));
  const [top, bottom] = exponent < 0 ? [units << shift, divisor] : [units, divisor << shift];
  const whole = top / bottom;
  const twice = (top % bottom) * 2n;
  return { whole, isUp: twice > bottom || (twice === bottom && whole % 2n === 1n) };
}
