import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  compareAmounts,
  formatAmount,
  multiplyAmount,
  parseAmount,
} from '../../../src/domain/money/amount.ts';
import { magnitudeOf, magnitudeText, TENFOLD } from '../../../src/domain/plan/magnitude.ts';

const DIGIT = fc.constantFrom(...'0123456789');

/** Canonical amounts above zero, of every size that is allowed. */
const amounts = fc
  .tuple(
    fc.nat(30).chain((digits) => fc.bigInt({ min: 0n, max: 10n ** BigInt(digits) - 1n })),
    fc.nat(36).chain((digits) => fc.string({ unit: DIGIT, minLength: digits, maxLength: digits })),
  )
  .filter(([whole, fraction]) => whole > 0n || /[1-9]/.test(fraction))
  .map(([whole, fraction]) =>
    formatAmount(parseAmount(fraction === '' ? `${whole}` : `${whole}.${fraction}`)),
  );

describe('the magnitude of an amount', () => {
  it.each([
    ['1', '1'],
    ['12.5', '12.5'],
    ['1000.5', '1000.5'],
    ['0.00000001', '0.00000001'],
    ['0.10203', '0.10203'],
    ['1234567', '1234567'],
    ['123456789', '123456700'],
    ['999999999999999999999999999999', '999999900000000000000000000000'],
    [`0.${'0'.repeat(35)}1`, `0.${'0'.repeat(35)}1`],
  ])('of %s is shown as %s', (amount, shown) => {
    expect(magnitudeText(magnitudeOf(amount))).toBe(shown);
  });

  it('is never less for a larger amount, and a whole word that is not zero', () => {
    fc.assert(
      fc.property(amounts, amounts, (a, b) => {
        const order = compareAmounts(parseAmount(a), parseAmount(b));
        const difference = magnitudeOf(a) - magnitudeOf(b);
        expect(Math.sign(difference) * Math.sign(order)).toBeGreaterThanOrEqual(0);
        if (order === 0) expect(difference).toBe(0);
        expect(magnitudeOf(a)).toBe(magnitudeOf(a) | 0);
        expect(magnitudeOf(a)).toBeGreaterThan(0);
      }),
    );
  });

  it('grows by one tenfold with ten times the amount, exactly', () => {
    fc.assert(
      fc.property(
        amounts.filter((text) => text.split('.')[0]?.length !== 30),
        (amount) => {
          const tenTimes = formatAmount(multiplyAmount(parseAmount(amount), 10));
          expect(magnitudeOf(tenTimes)).toBe(magnitudeOf(amount) + TENFOLD);
        },
      ),
    );
  });

  it('is "more than ten times" only for amounts above ten times', () => {
    fc.assert(
      fc.property(amounts, amounts, (a, b) => {
        fc.pre(magnitudeOf(a) > magnitudeOf(b) + TENFOLD);
        expect(compareAmounts(parseAmount(a), multiplyAmount(parseAmount(b), 10))).toBe(1);
      }),
    );
  });
});
