/**
 * An exact decimal, equal to `units / 10 ** scale`, without trailing zeros. 12.50 is `{ units:
 * 125n, scale: 1 }`.
 */
export type Decimal = Readonly<{ units: bigint; scale: number }>;

export const ZERO: Decimal = { units: 0n, scale: 0 };

/**
 * The most digits of an amount on each side of its point. Every currency needs fewer, and so many
 * are cheap to add.
 */
const DIGITS_MAX = 40;
/**
 * No amount has a larger exponent. The limit keeps a short text such as 1e999999 from becoming a
 * huge number.
 */
const EXPONENT_MAX = 100;

const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Reads a number as JSON writes it, with or without an exponent. Returns null for other text and
 * for too many digits.
 */
export function parseDecimal(text: string): Decimal | null {
  const match = text.length <= 2 * DIGITS_MAX + EXPONENT_MAX ? NUMBER.exec(text) : null;
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number.parseInt(exponentText, 10);
  if (Math.abs(exponent) > EXPONENT_MAX) return null;
  const value = normalize(BigInt(`${sign}${whole}${fraction}`), fraction.length - exponent);
  return isWithinBounds(value) ? value : null;
}

/**
 * Reads text of any length that `formatDecimal` wrote. Throws on other text, because then the store
 * is damaged.
 */
export function readDecimal(text: string): Decimal {
  const match = /^(-?\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) throw new Error('The store holds an amount that is not a decimal.');
  const [, whole = '', fraction = ''] = match;
  return normalize(BigInt(whole + fraction), fraction.length);
}

/** Writes a decimal without exponent and without trailing zeros. */
export function formatDecimal({ units, scale }: Decimal): string {
  const sign = units < 0n ? '-' : '';
  const digits = digitsOf(units).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return scale === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-scale)}`;
}

export function add(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale);
  return normalize(unitsAt(left, scale) + unitsAt(right, scale), scale);
}

export const negate = ({ units, scale }: Decimal): Decimal => ({ units: -units, scale });

export const subtract = (left: Decimal, right: Decimal): Decimal => add(left, negate(right));

export const multiply = (left: Decimal, right: Decimal): Decimal =>
  normalize(left.units * right.units, left.scale + right.scale);

/** Returns `percent` of `amount`, exactly: a division by 100 moves the point and never rounds. */
export function percentOf(amount: Decimal, percent: Decimal): Decimal {
  const product = multiply(amount, percent);
  return normalize(product.units, product.scale + 2);
}

export const isNegative = ({ units }: Decimal): boolean => units < 0n;

export const isPositive = ({ units }: Decimal): boolean => units > 0n;

/**
 * Returns the sum of many amounts. It aligns their scales once, where a chain of `add` would align
 * them each time.
 */
export function sum(values: readonly Decimal[]): Decimal {
  const scale = values.reduce((most, value) => Math.max(most, value.scale), 0);
  const units = values.reduce((total, value) => total + unitsAt(value, scale), 0n);
  return normalize(units, scale);
}

const unitsAt = ({ units, scale }: Decimal, wanted: number): bigint =>
  scale === wanted ? units : units * 10n ** BigInt(wanted - scale);

const digitsOf = (units: bigint): string => (units < 0n ? -units : units).toString();

function normalize(units: bigint, scale: number): Decimal {
  if (units === 0n) return ZERO;
  if (scale < 0) return { units: units * 10n ** BigInt(-scale), scale: 0 };
  let reduced = units;
  let reducedScale = scale;
  while (reducedScale > 0 && reduced % 10n === 0n) {
    reduced /= 10n;
    reducedScale -= 1;
  }
  return { units: reduced, scale: reducedScale };
}

function isWithinBounds(value: Decimal): boolean {
  return value.scale <= DIGITS_MAX && digitsOf(value.units).length - value.scale <= DIGITS_MAX;
}
