import {
  type Amount,
  compareAmounts,
  multiplyAmount,
  parseAmount,
} from '../../domain/money/amount.ts';
import { parseSignedAmount } from '../../domain/money/signed-amount.ts';
import type { FeeRules } from '../../domain/plan/rules.ts';

/** The most that a fee may be, in words, and whether this one is above it. */
export type FeeCap = Readonly<{ cap: string; isAbove: boolean }>;

type Priced = Readonly<{ currency: string; total: string; fee: string }>;

/** Holds the fee of one currency against the caps of the house rules. A fee that is exactly at a cap is within it. */
export const feeCaps = (priced: Priced, rules: FeeRules): FeeCap[] => [
  ...shareCap(priced, rules),
  ...totalCap(priced, rules),
];

function shareCap({ total, fee }: Priced, { shareMaxPercent: share }: FeeRules): FeeCap[] {
  if (share === null) return [];
  // Nothing is divided, so nothing is rounded.
  const paid = multiplyAmount(parseSignedAmount(fee), 100);
  const allowed = product(parseSignedAmount(total), parseAmount(share));
  return [{ cap: `${share} % of the amount`, isAbove: compareAmounts(paid, allowed) > 0 }];
}

function totalCap({ currency, fee }: Priced, { totalMax }: FeeRules): FeeCap[] {
  const max = totalMax.find((sum) => sum.currency === currency)?.amount;
  if (max === undefined) return [];
  const isAbove = compareAmounts(parseSignedAmount(fee), parseAmount(max)) > 0;
  return [{ cap: `${max} ${currency}`, isAbove }];
}

const product = (a: Amount, b: Amount): Amount => ({
  units: a.units * b.units,
  scale: a.scale + b.scale,
});
