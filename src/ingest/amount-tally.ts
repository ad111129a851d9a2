import { DISTINCT_AMOUNTS_MAX } from '../domain/rows/staging.ts';
import { detached } from './detached.ts';

/** Counts the rows with each amount, for fee quotes. It stops at too many different amounts. */
export type AmountTally = Readonly<{
  count(amount: string): void;
  /** Returns the counts by amount text, or null after too many different amounts. */
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
