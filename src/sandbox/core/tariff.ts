import type { FeeType } from '../../spec/fees.ts';
import { add, type Decimal, multiply, percentOf, ZERO } from './decimal.ts';

/**
 * What the service takes for one withdrawal: a share of its amount, in percent, and a fixed part.
 */
export type Tariff = Readonly<{ percent: Decimal; fix: Decimal }>;

export type Fee = Readonly<{ fixed: Decimal; percent: Decimal; total: Decimal }>;

/**
 * The fee of `withdrawals` withdrawals that sum up to `amount`; exact, because the tariff is
 * linear.
 */
export function feeOf(tariff: Tariff, amount: Decimal, withdrawals = 1): Fee {
  const fixed = multiply(tariff.fix, { units: BigInt(withdrawals), scale: 0 });
  const percent = percentOf(amount, tariff.percent);
  return { fixed, percent, total: add(fixed, percent) };
}

/**
 * The part of a fee that a `feeType` asks for.
 * ASSUMED: the spec names the values and not their meaning. SERVICE is the whole tariff, the others
 * one part of it.
 */
export function feePart(fee: Fee, feeType: FeeType): Fee {
  switch (feeType) {
    case 'SERVICE':
      return fee;
    case 'FIX':
      return { fixed: fee.fixed, percent: ZERO, total: fee.fixed };
    case 'PERCENT':
      return { fixed: ZERO, percent: fee.percent, total: fee.percent };
  }
}
