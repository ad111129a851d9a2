/**
 * The rough size of an amount as one whole number: its power of ten and its first seven digits. A larger amount never
 * has a smaller one. It serves a rough comparison of many batches, and never a payment: the other digits are lost.
 */

/** Digits that are kept. */
const DIGITS = 7;
/** To add this is to multiply the amount by ten. */
export const TENFOLD = 10 ** DIGITS;
/** The smallest amount has 36 digits after the point; see domain/money/amount.ts. */
const EXPONENT_MIN = -36;

const POINT = 0x2e;
const ZERO = 0x30;

/** The magnitude of a canonical amount above zero; never 0 itself. */
export function magnitudeOf(amount: string): number {
  let [lead, digits, whole, zeros] = [0, 0, -1, 0];
  for (let i = 0; i < amount.length && digits < DIGITS; i++) {
    const code = amount.charCodeAt(i);
    if (code === POINT) {
      whole = i;
    } else if (digits > 0 || code !== ZERO) {
      lead = lead * 10 + (code - ZERO);
      digits += 1;
    } else {
      zeros += 1;
    }
  }
  for (; digits < DIGITS; digits++) lead *= 10;
  if (whole === -1) whole = wholeDigits(amount);
  return (exponentOf(whole, zeros) - EXPONENT_MIN) * TENFOLD + lead;
}

const wholeDigits = (amount: string): number => {
  const point = amount.indexOf('.');
  return point === -1 ? amount.length : point;
};

/** An amount starts with a zero only when it is below one: then each further zero is one power of ten less. */
const exponentOf = (whole: number, zeros: number): number => (zeros === 0 ? whole - 1 : -zeros);

/** A magnitude as plain decimal text, for people; the amount itself may have had more digits. */
export function magnitudeText(magnitude: number): string {
  const exponent = Math.floor(magnitude / TENFOLD) + EXPONENT_MIN;
  const digits = String(magnitude % TENFOLD).replace(/0+$/, '');
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.padEnd(exponent + 1, '0');
  const fraction = whole.slice(exponent + 1);
  return fraction === '' ? whole : `${whole.slice(0, exponent + 1)}.${fraction}`;
}
