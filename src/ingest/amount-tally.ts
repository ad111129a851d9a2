import { DISTINCT_AMOUNTS_MAX } from '../domain/rows/staging.ts';
import { detached } from './detached.ts';

/** Counts how many rows have each amount, for fee quotes, as long as there are few different ones. */
export type AmountTally = Readonly<{
  count(amount: string): void;
  /** Sorted by amount text; null when there are too many different amounts. */
  amounts(): [string, number][] | null;
}>;

export function createAmountTally(): AmountTally {
  let counts: Map<string, number> | null = new Map();
  return {
    count(amount) {
      if (counts === null) return;
      const count = counts.get(amount);
      counts.set(count === undefined ? detached(amount) : amount, (count ?? 0) + 1);
      if (counts.size > DISTINCT_AMOUNTS_MAX) counts = null;
    },
    amounts: () => counts && [...counts].sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}
