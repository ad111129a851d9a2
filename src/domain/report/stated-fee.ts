import { addAmounts, formatAmount, ZERO } from '../money/amount.ts';
import { parseSignedAmount } from '../money/signed-amount.ts';
import type { Outcome } from '../settling/outcome.ts';

/**
 * The fee of one currency as mass payouts state it, canonical decimal text. `includesUnpaid`: some of their rows were
 * not paid in the end, so the charged fee may be lower; no field of a mass payout has it.
 */
export type StatedFee = Readonly<{ fee: string; includesUnpaid: boolean }>;

/**
 * Adds what one mass payout states to the sum of its currency. `outcomes` are those of its rows. One of which nothing was
 * paid for certain adds nothing: its money is back, and the fee with it.
 */
export function addFee(
  sum: StatedFee | undefined,
  { fee, outcomes }: Readonly<{ fee: string; outcomes: readonly Outcome[] }>,
): StatedFee | undefined {
  if (outcomes.every(isUnpaid)) return sum;
  return {
    fee: formatAmount(
      addAmounts(sum === undefined ? ZERO : parseSignedAmount(sum.fee), parseSignedAmount(fee)),
    ),
    includesUnpaid: (sum?.includesUnpaid ?? false) || outcomes.some(isUnpaid),
  };
}

const isUnpaid = (outcome: Outcome): boolean => outcome === 'FAILED' || outcome === 'NOT_SENT';
