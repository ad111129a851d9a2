import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { shortDecimal, storedDecimal } from '../../../src/domain/money/stored-number.ts';

describe('a number of a spreadsheet', () => {
  it.each<{ stored: string; text: string }>`
    stored                   | text
    ${'0'}                   | ${'0'}
    ${'1234.56'}             | ${'1234.56'}
    ${'1234.50'}             | ${'1234.50'}
    ${'999999999999999'}     | ${'999999999999999'}
    ${'0.000000000000001'}   | ${'0.000000000000001'}
    ${'123456789.012345'}    | ${'123456789.012345'}
    ${'-5.5'}                | ${'-5.5'}
    ${'0.10000000000000001'} | ${'0.1'}
    ${'1.1000000000000001'}  | ${'1.1'}
    ${'0.57999999999999996'} | ${'0.58'}
    ${'35.799999999999997'}  | ${'35.8'}
    ${'-1.1000000000000001'} | ${'-1.1'}
    ${'99999999999.990005'}  | ${'99999999999.99'}
  `('$stored is $text', ({ stored, text }) => {
    expect(storedDecimal(stored)).toEqual({ ok: true, text });
  });

  it.each<{ stored: string; fault: string }>`
    stored                      | fault
    ${'0.30000000000000004'}    | ${'noise'}
    ${'1.1000000000000003'}     | ${'noise'}
    ${'102.71745296899999'}     | ${'noise'}
    ${'33.333333333333336'}     | ${'noise'}
    ${'1.10000000000000008882'} | ${'noise'}
    ${'1234567890123456'}       | ${'digits'}
    ${'1234567890123450'}       | ${'digits'}
    ${'100000000000000000000'}  | ${'digits'}
    ${'1E+5'}                   | ${'exponent'}
    ${'1e5'}                    | ${'exponent'}
    ${'1.2345678901234499E+17'} | ${'exponent'}
    ${'1E-4'}                   | ${'exponent'}
    ${'007'}                    | ${'none'}
    ${'NaN'}                    | ${'none'}
    ${'0x10'}                   | ${'none'}
    ${' 1'}                     | ${'none'}
    ${'1,5'}                    | ${'none'}
    ${'.5'}                     | ${'none'}
    ${`0.${'0'.repeat(40)}1`}   | ${'none'}
  `('$stored is refused: $fault', ({ stored, fault }) => {
    expect(storedDecimal(stored)).toEqual({ ok: false, fault });
  });
});

const decimal = fc
  .tuple(fc.bigInt({ min: 1n, max: 999_999_999_999_999n }), fc.integer({ min: 0, max: 15 }))
  .map(([units, scale]) => {
    const digits = String(units).padStart(scale + 1, '0');
    const point = digits.length - scale;
    return scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  });

/** As Excel writes a double: 17 significant digits without an exponent. */
const asExcelWrites = (typed: string): string => {
  const written = Number(typed).toPrecision(17);
  return written.includes('e') ? '' : written.replace(/\.?0+$/, '');
};

it('every amount of up to 15 digits that Excel writes with 17 is read as it was typed', () => {
  fc.assert(
    fc.property(decimal, (typed) => {
      const written = asExcelWrites(typed);
      fc.pre(written !== '' && (written.split('.')[0] ?? '').length <= 15);
      const read = storedDecimal(written);
      const plain = typed.includes('.') ? typed.replace(/\.?0+$/, '') : typed;
      expect(read).toEqual({ ok: true, text: plain });
    }),
    { numRuns: 3_000 },
  );
});

it('a text of 16 or 17 digits is accepted exactly where the shorter one is the same double', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 10n ** 15n, max: 10n ** 17n - 1n }),
      fc.integer({ min: 3, max: 17 }),
      (units, scale) => {
        const digits = String(units).padStart(scale + 1, '0');
        const text = `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
        fc.pre((text.split('.')[0] ?? '').length <= 15);
        const short = shortDecimal(text);
        const isSame = Number(short) === Number(text);
        expect(storedDecimal(text)).toEqual(
          isSame ? { ok: true, text: short } : { ok: false, fault: 'noise' },
        );
      },
    ),
    { numRuns: 3_000 },
  );
});
