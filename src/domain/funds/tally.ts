import {
  type Amount,
  compareAmounts,
  formatAmount,
  subtractAmounts,
  ZERO,
} from '../money/amount.ts';
import { parseSignedAmount } from '../money/signed-amount.ts';
import type { Money } from '../plan/rules.ts';

/** A claim or a demand for money. */
type Wanting = Readonly<{ name: string; needs: readonly Money[] | null }>;

/** Counts needs against balances. The need of one name in a currency counts once, in any number of calls. */
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

    /** The counted needs of the chosen names. */
    counted: (isMeant: (one: T) => boolean): (Readonly<{ name: string }> & Money)[] =>
      [...counted].flatMap(([currency, known]) =>
        [...known]
          .filter(isMeant)
          .flatMap((one) =>
            amountsOf(one, currency).map((amount) => ({ name: one.name, currency, amount })),
          ),
      ),

    /** The rest of each counted currency, and the missing amount where it is below zero. */
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
