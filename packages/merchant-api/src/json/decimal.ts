/**
 * Largest number of characters of one decimal. 36 + 30 digits are a large amount; 200 leaves room
 * for padding zeros.
 */
export const DECIMAL_LENGTH_MAX = 200;

/**
 * Largest exponent, in both directions. It bounds the length of the text without an exponent.
 */
export const EXPONENT_MAX = 100;

const JSON_NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?)0*(\d{1,3}))?$/;
const PLAIN_AMOUNT = /^(?:0|[1-9]\d{0,29})(?:\.\d{1,36})?$/;

/**
 * Reads a JSON number as canonical decimal text: no exponent, no needless zeros, no `-0`. Exact.
 *
 * Returns undefined for any other text, and above `DECIMAL_LENGTH_MAX` or `EXPONENT_MAX`. It checks
 * both limits before it builds any text.
 */
export function readDecimal(text: string): string | undefined {
  if (text.length > DECIMAL_LENGTH_MAX) return undefined;
  const match = JSON_NUMBER.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponentSign = '', exponentDigits = '0'] = match;
  const exponent = Number.parseInt(`${exponentSign}${exponentDigits}`, 10);
  if (Math.abs(exponent) > EXPONENT_MAX) return undefined;
  const unsigned = placePoint(whole + fraction, whole.length + exponent);
  return unsigned === '0' ? unsigned : sign + unsigned;
}

/**
 * Reads an amount to send: digits with an optional fraction, at most 30 + 36 of them, no sign, no
 * exponent.
 */
export function readPlainAmount(text: string): string | undefined {
  return PLAIN_AMOUNT.test(text) ? readDecimal(text) : undefined;
}

/** `point` counts from the left end of `digits` and may lie outside of them. */
function placePoint(digits: string, point: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  const fraction = point > 0 ? digits.slice(point) : '0'.repeat(-point) + digits;
  const wholeTrimmed = whole.replace(/^0+(?=\d)/, '');
  const fractionTrimmed = fraction.replace(/0+$/, '');
  return fractionTrimmed === '' ? wholeTrimmed : `${wholeTrimmed}.${fractionTrimmed}`;
}
