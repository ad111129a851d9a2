import { type Amount, compareAmounts } from '../money/amount.ts';
import { isAbovePercent } from '../money/percent.ts';
import { parseSignedAmount } from '../money/signed-amount.ts';
import type { FeeRules, Money } from '../plan/rules.ts';

/** The most that the fee of one currency may be. A fee that is exactly at a cap is within it. */
export type FeeCap = Readonly<{
  /** The cap by itself, `5 % of the amount`. */
  cap: string;
  /** The cap behind "above": `5 percent of 100`. */
  limit: string;
  isBrokenBy(fee: string): boolean;
}>;

/** The caps of the house rules on the fee in one currency. */
export function feeCaps(
  { shareMaxPercent: share, totalMax }: FeeRules,
  { currency, amount: total }: Money,
): FeeCap[] {
  const max = totalMax.find((line) => line.currency === currency)?.amount;
  return [
    ...(share === null ? [] : [shareCap(share, total)]),
    ...(max === undefined ? [] : [totalCap(max, currency)]),
  ];
}

const shareCap = (share: string, total: string): FeeCap => ({
  cap: `${share} % of the amount`,
  limit: `${share} percent of ${total}`,
  isBrokenBy: (fee) => isAbovePercent(amount(fee), amount(total), amount(share)),
});

const totalCap = (max: string, currency: string): FeeCap => ({
  cap: `${max} ${currency}`,
  limit: `${max}, the most that they may be`,
  isBrokenBy: (fee) => compareAmounts(amount(fee), amount(max)) > 0,
});

const amount = (text: string): Amount => parseSignedAmount(text);
