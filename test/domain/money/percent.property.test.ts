import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Amount, parseAmount } from '../../../src/domain/money/amount.ts';
import { isAbovePercent, isRaisedBy } from '../../../src/domain/money/percent.ts';

const amount: fc.Arbitrary<Amount> = fc.record({
  units: fc.bigInt({ min: 0n, max: 10n ** 40n }),
  scale: fc.integer({ min: 0, max: 36 }),
});

/** An amount times 10 ** 40, which is whole. */
const whole = ({ units, scale }: Amount): bigint => units * 10n ** BigInt(40 - scale);

describe('percentages', () => {
  it('are compared exactly, at any scales', () => {
    fc.assert(
      fc.property(amount, amount, amount, (part, of, percent) => {
        const expected = whole(part) * 100n * 10n ** 40n > whole(of) * whole(percent);
        expect(isAbovePercent(part, of, percent)).toBe(expected);
      }),
    );
  });

  it.each`
    now                                       | before   | percent  | raised
    ${'12'}                                   | ${'10'}  | ${'20'}  | ${false}
    ${'12.000000000000000000000000000000001'} | ${'10'}  | ${'20'}  | ${true}
    ${'9'}                                    | ${'10'}  | ${'0'}   | ${false}
    ${'10'}                                   | ${'10'}  | ${'0'}   | ${false}
    ${'0.1'}                                  | ${'0'}   | ${'999'} | ${true}
    ${'0'}                                    | ${'0'}   | ${'0'}   | ${false}
    ${'0.3003'}                               | ${'0.3'} | ${'0.1'} | ${false}
    ${'0.30031'}                              | ${'0.3'} | ${'0.1'} | ${true}
  `('$now lies more than $percent percent above $before: $raised', (line) => {
    const { now, before, percent, raised } = line as Record<string, string> & { raised: boolean };
    const read = (text = ''): Amount => parseAmount(text);
    expect(isRaisedBy(read(now), read(before), read(percent))).toBe(raised);
  });
});
