type Decimal = Readonly<{ units: bigint; power: number }>;

/**
 * Whether a decimal is exactly another one times a whole number. Both are text and may have
 * exponents.
 */
export function isMultiple(text: string, of: string, times = 1): boolean {
  const [whole, part] = [parse(text), parse(of)];
  if (whole === null || part === null) return false;
  const power = Math.min(whole.power, part.power);
  return unitsAt(whole, power) === BigInt(times) * unitsAt(part, power);
}

const unitsAt = ({ units, power }: Decimal, lower: number): bigint =>
  units * 10n ** BigInt(power - lower);

/** Returns the text of the first number with this name in a JSON text. */
export const literalOf = (json: string, name: string): string =>
  new RegExp(`"${name}"\\s*:\\s*(-?[\\d.eE+-]+)`).exec(json)?.[1] ?? '';

const EXPONENT_MAX = 1_000;

function parse(text: string): Decimal | null {
  const match = /^(-?\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/.exec(text);
  if (match === null) return null;
  const [, whole = '', part = '', exponent = '0'] = match;
  const power = Number.parseInt(exponent, 10) - part.length;
  return Math.abs(power) > EXPONENT_MAX ? null : { units: BigInt(whole + part), power };
}
