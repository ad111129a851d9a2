import { type Amount, sumAmounts } from './amount.ts';

/** A sum that grows; an addition costs the same at any size. */
export type RunningSum = Readonly<{ add(amount: Amount): void; total(): Amount }>;

/** Units are summed up for each scale apart: bringing every amount to one scale would cost far more. */
export function createTally(): RunningSum {
  const unitsByScale = new Map<number, bigint>();
  return {
    add: ({ units, scale }) =>
      void unitsByScale.set(scale, (unitsByScale.get(scale) ?? 0n) + units),
    total: () => sumAmounts(Array.from(unitsByScale, ([scale, units]) => ({ units, scale }))),
  };
}
