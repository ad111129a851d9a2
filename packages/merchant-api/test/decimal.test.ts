import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  DECIMAL_LENGTH_MAX,
  EXPONENT_MAX,
  readDecimal,
  readPlainAmount,
} from '../src/json/decimal.ts';
import { anyText } from '../../../test/support/any-text.ts';

const CANONICAL = /^(?:0|-?(?:[1-9]\d*|(?:0|[1-9]\d*)\.\d*[1-9]))$/;

/**
 * Oracle: a decimal as a BigInt count of 10^-400, which every text within the bounds can be written
 * as.
 */
const SCALE = 400n;
function unitsOf(text: string): bigint {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return BigInt(whole + fraction) * 10n ** (SCALE + BigInt(exponent) - BigInt(fraction.length));
}

const jsonNumber = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: fc.bigInt({ min: 0n, max: 10n ** 60n }),
    fraction: fc.option(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 60 })),
    exponent: fc.option(fc.integer({ min: -EXPONENT_MAX, max: EXPONENT_MAX })),
    letter: fc.constantFrom('e', 'E', 'E+0', 'e00'),
  })
  .map(({ sign, whole, fraction, exponent, letter }) => {
    const point = fraction === null ? '' : `.${fraction.join('')}`;
    const plus = exponent !== null && exponent < 0 ? letter.slice(0, 1) : letter;
    return `${sign}${whole}${point}${exponent === null ? '' : `${plus}${exponent}`}`;
  });

describe('readDecimal', () => {
  it.each([
    ['0', '0'],
    ['-0', '0'],
    ['-0.000e5', '0'],
    ['12.50', '12.5'],
    ['100', '100'],
    ['1E-8', '0.00000001'],
    ['1e+2', '100'],
    ['-12.5e1', '-125'],
    ['12.5e-2', '0.125'],
    ['0.5e1', '5'],
    ['0.05e1', '0.5'],
    ['9007199254740993', '9007199254740993'],
    ['0.100000000000000001', '0.100000000000000001'],
    ['1e100', `1${'0'.repeat(100)}`],
    ['1e-100', `0.${'0'.repeat(99)}1`],
  ])('reads %s as %s', (text, canonical) => {
    expect(readDecimal(text)).toBe(canonical);
  });

  it.each([
    '',
    ' 1',
    '1 ',
    '+1',
    '01',
    '1.',
    '.5',
    '1,5',
    '1_000',
    '0x10',
    '1e',
    'NaN',
    'Infinity',
    '１',
    '1e101',
    '1e-101',
    '1E400',
    '1e99999999999999999999',
    '1\n',
    '9'.repeat(DECIMAL_LENGTH_MAX + 1),
  ])('refuses %j', (text) => {
    expect(readDecimal(text)).toBeUndefined();
  });

  it('is exact and canonical for every JSON number within the bounds', () => {
    fc.assert(
      fc.property(jsonNumber, (text) => {
        const canonical = readDecimal(text) ?? 'refused';
        expect(canonical).toMatch(CANONICAL);
        expect(unitsOf(canonical)).toBe(unitsOf(text));
      }),
      { numRuns: 500 },
    );
  });

  it('changes nothing when it reads its own output', () => {
    fc.assert(
      fc.property(jsonNumber, (text) => {
        const canonical = readDecimal(text) ?? 'refused';
        fc.pre(canonical.length <= DECIMAL_LENGTH_MAX);
        expect(readDecimal(canonical)).toBe(canonical);
      }),
    );
  });

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const canonical = readDecimal(text);
        if (canonical !== undefined) expect(canonical).toMatch(CANONICAL);
      }),
    );
  });
});

describe('readPlainAmount', () => {
  it.each([
    ['12.5', '12.5'],
    ['12.500', '12.5'],
    ['0', '0'],
    [`${'9'.repeat(30)}.${'9'.repeat(36)}`, `${'9'.repeat(30)}.${'9'.repeat(36)}`],
  ])('reads %s as %s', (text, canonical) => {
    expect(readPlainAmount(text)).toBe(canonical);
  });

  it.each(['-1', '1e3', '1E-8', '01', '1.', '', `1${'0'.repeat(30)}`, `0.${'1'.repeat(37)}`])(
    'refuses %j',
    (text) => {
      expect(readPlainAmount(text)).toBeUndefined();
    },
  );
});
