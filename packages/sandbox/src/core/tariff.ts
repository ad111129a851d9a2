import type { FeeType } from '@bursar/merchant-api/spec';
import {
  add,
  type Decimal,
  isNegative,
  isPositive,
  multiply,
  percentOf,
  subtract,
  sum,
  ZERO,
} from './decimal.ts';

/** The fee of one withdrawal: a percentage of its amount plus a fixed part, but at least `min`. */
export type Tariff = Readonly<{ percent: Decimal; fix: Decimal; min: Decimal }>;

export type Fee = Readonly<{ fixed: Decimal; percent: Decimal; total: Decimal }>;

/** Returns the exact fee of one withdrawal. */
export function feeOf({ percent: share, fix: fixed, min }: Tariff, amount: Decimal): Fee {
  const percent = percentOf(amount, share);
  const asked = add(fixed, percent);
  return { fixed, percent, total: isNegative(subtract(asked, min)) ? min : asked };
}

/** Returns the sum of the fees of many withdrawals. */
export function totalFeeOf(tariff: Tariff, amounts: readonly Decimal[]): Decimal {
  if (isPositive(tariff.min)) return sum(amounts.map((amount) => feeOf(tariff, amount).total));
  // Without `min` the tariff is linear, so one multiplication replaces one for each row.
  const fixed = multiply(tariff.fix, { units: BigInt(amounts.length), scale: 0 });
  return add(fixed, percentOf(sum(amounts), tariff.percent));
}

/**
 * Returns the part of a fee that a `feeType` names.
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
