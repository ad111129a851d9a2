import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  add,
  type Decimal,
  formatDecimal,
  isNegative,
  isPositive,
  multiply,
  parseDecimal,
  percentOf,
  readDecimal,
  subtract,
  sum,
} from '../src/core/decimal.ts';

const parsed = (text: string): Decimal => {
  const value = parseDecimal(text);
  if (value === null) throw new Error(`${text} was refused`);
  return value;
};

/** A decimal as a fraction over 10 ** 36, computed in another way than the code under test. */
const units36 = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const size = BigInt(whole + fraction.padEnd(36, '0'));
  return text.startsWith('-') ? -size : size;
};

const decimalText = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.stringMatching(/^\d{0,18}$/))
  .map(([minus, whole, fraction]) => `${minus ? '-' : ''}${whole}${fraction && `.${fraction}`}`);

describe('reading a decimal', () => {
  it.each([
    ['0', '0'],
    ['-0', '0'],
    ['12.50', '12.5'],
    ['1E-8', '0.00000001'],
    ['1.5e3', '1500'],
    ['1e+2', '100'],
    ['0.1000000000000000055', '0.1000000000000000055'],
    ['9007199254740993', '9007199254740993'],
    ['0.000000000000000000000000000000000001', '0.000000000000000000000000000000000001'],
    ['-123456789012345678.123456789012345678000', '-123456789012345678.123456789012345678'],
  ])('takes %s as %s', (text, canonical) => {
    expect(formatDecimal(parsed(text))).toBe(canonical);
  });

  it.each([
    '',
    ' 1',
    '1 ',
    '+1',
    '.5',
    '5.',
    '01',
    '1,5',
    '0x10',
    'NaN',
    'Infinity',
    '1e',
    '1e101',
    '1e-101',
    '1e99999999999',
    '٣',
    '9'.repeat(41),
    `0.${'0'.repeat(40)}1`,
    '9'.repeat(10_000),
  ])('refuses %j', (text) => {
    expect(parseDecimal(text)).toBeNull();
  });

  it('reads back everything that it writes', () => {
    fc.assert(
      fc.property(decimalText, (text) => {
        const canonical = formatDecimal(parsed(text));
        expect(formatDecimal(readDecimal(canonical))).toBe(canonical);
        expect(formatDecimal(parsed(canonical))).toBe(canonical);
        expect(units36(canonical)).toBe(units36(text));
      }),
    );
  });

  it('refuses a stored amount that it has not written', () => {
    expect(() => readDecimal('1e3')).toThrow('not a decimal');
  });
});

describe('arithmetic', () => {
  it('adds, subtracts and compares exactly', () => {
    fc.assert(
      fc.property(decimalText, decimalText, (left, right) => {
        const [a, b] = [parsed(left), parsed(right)];
        expect(units36(formatDecimal(add(a, b)))).toBe(units36(left) + units36(right));
        expect(units36(formatDecimal(subtract(a, b)))).toBe(units36(left) - units36(right));
        expect(isNegative(subtract(a, b))).toBe(units36(left) < units36(right));
        expect(isPositive(a)).toBe(units36(left) > 0n);
      }),
    );
  });

  it('multiplies exactly', () => {
    fc.assert(
      fc.property(decimalText, decimalText, (left, right) => {
        const product = multiply(parsed(left), parsed(right));
        const scaled = product.units * 10n ** BigInt(72 - product.scale);
        expect(scaled).toBe(units36(left) * units36(right));
      }),
    );
  });

  it('sums a list as a chain of additions does', () => {
    fc.assert(
      fc.property(fc.array(decimalText), (texts) => {
        const total = texts.reduce((so, text) => so + units36(text), 0n);
        expect(units36(formatDecimal(sum(texts.map(parsed))))).toBe(total);
      }),
    );
  });

  it.each([
    ['1', '100', '1'],
    ['1', '0.01', '0.0001'],
    ['0.3', '33.333333333333333', '0.099999999999999999'],
    ['0', '12.345678901234567891', '0'],
  ])('takes %s percent of %s without rounding', (percent, amount, share) => {
    expect(formatDecimal(percentOf(parsed(amount), parsed(percent)))).toBe(share);
  });
});
