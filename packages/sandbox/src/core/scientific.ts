import { type Decimal, formatDecimal } from './decimal.ts';

/** Numbers below 10 ** -6 have an exponent. */
const PLAIN_EXPONENT_MIN = -6;

/**
 * Writes a decimal as Java's `BigDecimal.stripTrailingZeros().toString()` does: 1E-8, 1.5E+3, but 0.000001 and 1234.
 */
export function formatScientific(value: Decimal): string {
  const isNegative = value.units < 0n;
  const digits = (isNegative ? -value.units : value.units).toString();
  const stripped = digits.replace(/0+$/, '');
  const endsWithZeros = value.scale === 0 && stripped.length < digits.length;
  const exponent = digits.length - 1 - value.scale;
  if (value.units === 0n || (!endsWithZeros && exponent >= PLAIN_EXPONENT_MIN)) {
    return formatDecimal(value);
  }
  const fraction = stripped.length > 1 ? `.${stripped.slice(1)}` : '';
  const sign = exponent < 0 ? '' : '+';
  return `${isNegative ? '-' : ''}${stripped[0]}${fraction}E${sign}${exponent}`;
}
