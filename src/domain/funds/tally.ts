import {
  type Amount,
  compareAmounts,
  formatAmount,
  subtractAmounts,
  ZERO,
} from '../money/amount.ts';
import { parseSignedAmount } from '../money/signed-amount.ts';
import type { Money } from '../plan/rules.ts';

/** Somebody who wants money. */
type Wanting = Readonly<{ name: string; needs: readonly Money[] | null }>;

/** Counts what is wanted of balances. What somebody wants of a currency counts once, however often it is counted. */
export function tallyOf<T extends Wanting>(balances: ReadonlyMap<string, string>) {
  const left = new Map<string, Amount>();
  const counted = new Map<string, Set<T>>();
  const balanceOf = (currency: string) => parseSignedAmount(balances.get(currency) ?? '0');
  const takeAway = (currency: string, amount: string): void => {
    const before = left.get(currency) ?? balanceOf(currency);
    left.set(currency, subtractAmounts(before, parseSignedAmount(amount)));
  };
  return {
    /** Counts what some want of a currency. */
    count(some: readonly T[], currency: string): void {
      const known = counted.get(currency) ?? new Set();
      counted.set(currency, known);
      for (const one of some.filter((wanting) => !known.has(wanting))) {
        known.add(one);
        for (const amount of amountsOf(one, currency)) takeAway(currency, amount);
      }
    },

    /** What was counted of those whom it is asked of. */
    counted: (isMeant: (one: T) => boolean): (Readonly<{ name: string }> & Money)[] =>
      [...counted].flatMap(([currency, known]) =>
        [...known]
          .filter(isMeant)
          .flatMap((one) =>
            amountsOf(one, currency).map((amount) => ({ name: one.name, currency, amount })),
          ),
      ),

    /** What is left of each currency that was counted, and what is missing where that is below zero. */
    standing: (): Readonly<{ left: Money[]; short: Money[] }> => ({
      left: [...left].map(([currency, amount]) => ({ currency, amount: formatAmount(amount) })),
      short: [...left].flatMap(([currency, amount]) =>
        compareAmounts(amount, ZERO) < 0
          ? { currency, amount: formatAmount(subtractAmounts(ZERO, amount)) }
          : [],
      ),
    }),
  };
}

const amountsOf = ({ needs }: Wanting, currency: string): string[] =>
  (needs ?? []).flatMap((need) => (need.currency === currency ? need.amount : []));
