import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  addAmounts,
  type Amount,
  canonicalAmount,
  compareAmounts,
  formatAmount,
  isPositive,
  multiplyAmount,
  parseAmount,
  subtractAmounts,
  sumAmounts,
  ZERO,
} from '../../../src/domain/money/amount.ts';
import { parseSignedAmount } from '../../../src/domain/money/signed-amount.ts';
import { anyText } from '../../support/any-text.ts';

/*
 * The oracle knows decimals only as whole numbers of 10 ** -40, and writes them digit by digit. It shares no code with
 * what it judges.
 */
const PLACES = 40;

const oracleRead = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(PLACES, '0'));
};

const oracleWrite = (value: bigint): string => {
  const digits = String(value < 0n ? -value : value).padStart(PLACES + 1, '0');
  const whole = digits.slice(0, -PLACES);
  const fraction = digits.slice(-PLACES).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
};

const digits = (max: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: max });

const whole = digits(30).map((text) => text.replace(/^0+(?=\d)/, ''));
const decimal = fc.oneof(
  whole,
  fc.tuple(whole, digits(36)).map(([before, after]) => `${before}.${after}`),
);
const amount = decimal.map(parseAmount);

describe('a plain decimal', () => {
  it('is read exactly and written in its one canonical form', () => {
    fc.assert(
      fc.property(decimal, (text) => {
        expect(formatAmount(parseAmount(text))).toBe(oracleWrite(oracleRead(text)));
        expect(canonicalAmount(text)).toBe(oracleWrite(oracleRead(text)));
        expect(canonicalAmount(`-${text}`)).toBeUndefined();
      }),
      { numRuns: 1_000 },
    );
  });

  it('is read as the same amount however many zeros end it', () => {
    fc.assert(
      fc.property(whole, digits(20), fc.nat(10), (before, after, zeros) => {
        const text = `${before}.${after}`;
        expect(parseAmount(text + '0'.repeat(zeros))).toEqual(parseAmount(text));
      }),
    );
  });

  it.each([
    ['0', 0n, 0],
    ['0.0', 0n, 0],
    ['12.50', 125n, 1],
    ['0.000000000000000001', 1n, 18],
    ['100', 100n, 0],
  ])('"%s" is %s at scale %s', (text, units, scale) => {
    expect(parseAmount(text)).toEqual({ units, scale });
  });

  it('is nothing else', () => {
    const almost = fc.string({ unit: fc.constantFrom(...'0123456789.,eE+-_ '), maxLength: 12 });
    fc.assert(
      fc.property(fc.oneof(almost, anyText()), (text) => {
        const isPlain = /^\d+(\.\d+)?$/.test(text) && !/^0\d/.test(text);
        const read = () => parseAmount(text);
        if (isPlain) expect(read).not.toThrow();
        else expect(read).toThrow(expect.objectContaining({ code: 'AMOUNT_NOT_DECIMAL' }));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is refused at once when it is a megabyte long', () => {
    const facts = { text: '9'.repeat(60) };
    const read = () => parseAmount('9'.repeat(1_000_000));
    expect(read).toThrow(expect.objectContaining({ code: 'AMOUNT_NOT_DECIMAL', facts }));
  });
});

describe('arithmetic', () => {
  const two = fc.tuple(decimal, decimal);

  it('adds, subtracts and compares as the oracle does', () => {
    fc.assert(
      fc.property(two, ([a, b]) => {
        const [x, y] = [parseAmount(a), parseAmount(b)];
        const [p, q] = [oracleRead(a), oracleRead(b)];
        expect(formatAmount(addAmounts(x, y))).toBe(oracleWrite(p + q));
        expect(formatAmount(subtractAmounts(x, y))).toBe(oracleWrite(p - q));
        expect(Math.sign(compareAmounts(x, y))).toBe(p < q ? -1 : p > q ? 1 : 0);
      }),
      { numRuns: 1_000 },
    );
  });

  it('sums as the oracle does, in any order', () => {
    fc.assert(
      fc.property(fc.array(decimal, { maxLength: 50 }), (texts) => {
        const expected = oracleWrite(texts.reduce((sum, text) => sum + oracleRead(text), 0n));
        const amounts = texts.map(parseAmount);
        expect(formatAmount(sumAmounts(amounts))).toBe(expected);
        expect(formatAmount(sumAmounts(amounts.reverse()))).toBe(expected);
        expect(formatAmount(amounts.reduce(addAmounts, ZERO))).toBe(expected);
      }),
    );
  });

  it('sums a million amounts exactly, forwards and backwards', () => {
    const texts = Array.from(
      { length: 1_000_000 },
      (_, i) => `${i % 97}.${(i * 7_919) % 1_000_003}`,
    );
    const expected = oracleWrite(texts.reduce((sum, text) => sum + oracleRead(text), 0n));
    const amounts = texts.map(parseAmount);
    expect(formatAmount(sumAmounts(amounts))).toBe(expected);
    expect(formatAmount(sumAmounts(amounts.reverse()))).toBe(expected);
  });

  it('multiplies as repeated addition does', () => {
    fc.assert(
      fc.property(decimal, fc.integer(), (text, count) => {
        const product = oracleRead(text) * BigInt(count);
        expect(formatAmount(multiplyAmount(parseAmount(text), count))).toBe(oracleWrite(product));
      }),
    );
    expect(() => multiplyAmount(ZERO, 1.5)).toThrow(RangeError);
  });

  it('gives canonical amounts, so that equal ones have equal fields', () => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        const sum: Amount = addAmounts(a, b);
        expect(subtractAmounts(sum, b)).toEqual(a);
        expect(subtractAmounts(a, a)).toEqual(ZERO);
        expect(sum.scale === 0 || sum.units % 10n !== 0n).toBe(true);
      }),
    );
  });

  it('finds whether an amount is above zero', () => {
    fc.assert(
      fc.property(two, ([a, b]) => {
        const difference = subtractAmounts(parseAmount(a), parseAmount(b));
        expect(isPositive(difference)).toBe(oracleRead(a) > oracleRead(b));
      }),
    );
  });
});

describe('a signed decimal', () => {
  it('is read exactly, below zero too', () => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        const difference = subtractAmounts(a, b);
        expect(parseSignedAmount(formatAmount(difference))).toEqual(difference);
      }),
    );
  });

  it.each(['-', '-0', '-0.00', '--1', '-.5', '+1', '- 1'])('is not "%s"', (text) => {
    expect(() => parseSignedAmount(text)).toThrow(
      expect.objectContaining({ code: 'AMOUNT_NOT_DECIMAL' }),
    );
  });
});
