import { addAmounts, type Amount, formatAmount, subtractAmounts, ZERO } from '../money/amount.ts';
import { parseSignedAmount } from '../money/signed-amount.ts';
import { type FundsClaim, needsOf, totalOf } from './claim.ts';

/** How one currency of an account stands. Canonical decimal text. */
export type AccountLine = Readonly<{
  currency: string;
  balance: string;
  /** For batches that pay. */
  reserved: string;
  /** For batches that wait, or whose time has not come. */
  claimed: string;
  /** The amount that a new batch can use; never below zero. */
  free: string;
  /** The amount that the account lacks for all claims; zero when it lacks nothing. */
  short: string;
}>;

/** A line for every currency with a balance or a claim, by name. */
export function accountLines(
  balances: ReadonlyMap<string, string>,
  claims: readonly FundsClaim[],
): AccountLine[] {
  const granted = sumNeeds(claims.filter(({ grantedAtMs }) => grantedAtMs !== null));
  const waiting = sumNeeds(claims.filter(({ grantedAtMs }) => grantedAtMs === null));
  const currencies = new Set([...balances.keys(), ...granted.keys(), ...waiting.keys()]);
  return [...currencies].sort().map((currency) => {
    const balance = parseSignedAmount(balances.get(currency) ?? '0');
    const reserved = granted.get(currency) ?? ZERO;
    const claimed = waiting.get(currency) ?? ZERO;
    const left = subtractAmounts(balance, addAmounts(reserved, claimed));
    return {
      currency,
      balance: formatAmount(balance),
      reserved: formatAmount(reserved),
      claimed: formatAmount(claimed),
      free: left.units < 0n ? '0' : formatAmount(left),
      short: left.units < 0n ? formatAmount(subtractAmounts(ZERO, left)) : '0',
    };
  });
}

function sumNeeds(claims: readonly FundsClaim[]): ReadonlyMap<string, Amount> {
  const sums = new Map<string, Amount>();
  for (const need of claims.flatMap(needsOf)) {
    sums.set(need.currency, addAmounts(sums.get(need.currency) ?? ZERO, totalOf(need)));
  }
  return sums;
}
