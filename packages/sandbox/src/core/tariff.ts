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

/**
 * What the service takes for one withdrawal: a share of its amount, in percent, and a fixed part,
 * together at least `min`.
 */
export type Tariff = Readonly<{ percent: Decimal; fix: Decimal; min: Decimal }>;

export type Fee = Readonly<{ fixed: Decimal; percent: Decimal; total: Decimal }>;

/** The fee of one withdrawal; exact. */
export function feeOf({ percent: share, fix: fixed, min }: Tariff, amount: Decimal): Fee {
  const percent = percentOf(amount, share);
  const asked = add(fixed, percent);
  return { fixed, percent, total: isNegative(subtract(asked, min)) ? min : asked };
}

/** What the fees of many withdrawals sum up to. */
export function totalFeeOf(tariff: Tariff, amounts: readonly Decimal[]): Decimal {
  if (isPositive(tariff.min)) return sum(amounts.map((amount) => feeOf(tariff, amount).total));
  // Without a least fee the tariff is linear, and one multiplication does for any number of rows.
  const fixed = multiply(tariff.fix, { units: BigInt(amounts.length), scale: 0 });
  return add(fixed, percentOf(sum(amounts), tariff.percent));
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
