import type { CurrencyTotal } from '../money/currency-total.ts';
import { compareAmounts, parseAmount } from '../money/amount.ts';
import { parseSignedAmount } from '../money/signed-amount.ts';
import type { ApprovalPolicy, Tier } from './policy.ts';

/** The requirement of a policy from one currency of a batch. */
export type Requirement = CurrencyTotal & Readonly<{ tier: Tier }>;

/**
 * The tier of each currency that reaches one: among the tiers below its total, those that name the currency go before those
 * that name none, and of these the highest counts. All of them must be satisfied; none: no approval is needed.
 */
export const requirementsOf = (
  { tiers }: ApprovalPolicy,
  totals: readonly CurrencyTotal[],
): Requirement[] =>
  totals.flatMap(({ currency, total }) => {
    const reached = tiers.filter((tier) => isReached(tier, total));
    const tier =
      highest(reached.filter((one) => one.currency === currency)) ??
      highest(reached.filter((one) => one.currency === null));
    return tier === undefined ? [] : [{ currency, total, tier }];
  });

/** For how many batches a policy needs approvals, whatever they pay. null: there is no policy. */
export function reachOf(policy: ApprovalPolicy | null): 'none' | 'some' | 'all' {
  if (policy === null) return 'none';
  const isForAll = ({ currency, above }: Tier): boolean =>
    currency === null && parseAmount(above).units === 0n;
  return policy.tiers.some(isForAll) ? 'all' : 'some';
}

const isReached = ({ above }: Tier, total: string): boolean =>
  compareAmounts(parseSignedAmount(total), parseAmount(above)) > 0;

const highest = (tiers: readonly Tier[]): Tier | undefined =>
  [...tiers].sort((a, b) => compareAmounts(parseAmount(b.above), parseAmount(a.above)))[0];
