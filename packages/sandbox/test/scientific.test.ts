import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatDecimal, parseDecimal, ZERO } from '../src/core/decimal.ts';
import { formatScientific } from '../src/http/answer-format.ts';

const write = (text: string): string => formatScientific(parseDecimal(text) ?? ZERO);

describe('numbers as BigDecimal writes them', () => {
  it.each([
    ['0', '0'],
    ['1', '1'],
    ['10', '1E+1'],
    ['1500', '1.5E+3'],
    ['1000000', '1E+6'],
    ['1234', '1234'],
    ['1000.5', '1000.5'],
    ['0.5', '0.5'],
    ['0.000001', '0.000001'],
    ['0.0000015', '0.0000015'],
    ['0.00000015', '1.5E-7'],
    ['0.00000001', '1E-8'],
    ['0.00000000000000000123', '1.23E-18'],
    ['-0.00000001', '-1E-8'],
    ['-100', '-1E+2'],
  ])('%s becomes %s', (text, expected) => {
    expect(write(text)).toBe(expected);
  });

  it('mean the same as plain ones, always', () => {
    const digits = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
    fc.assert(
      fc.property(digits, fc.nat({ max: 30 }), (units, scale) => {
        const value = parseDecimal(`${units}e-${scale}`) ?? ZERO;
        const again = parseDecimal(formatScientific(value)) ?? ZERO;
        expect(formatDecimal(again)).toBe(formatDecimal(value));
      }),
    );
  });
});
