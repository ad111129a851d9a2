import { addAmounts, type Amount, formatAmount, ZERO } from './amount.ts';
import type { Money } from '../plan/rules.ts';
import { parseSignedAmount } from './signed-amount.ts';

/** Sums of money by currency, in the order in which currencies first come. */
export function sumByCurrency(lines: Iterable<Money>): Money[] {
  const sums = new Map<string, Amount>();
  for (const { currency, amount } of lines) {
    sums.set(currency, addAmounts(sums.get(currency) ?? ZERO, parseSignedAmount(amount)));
  }
  return [...sums].map(([currency, sum]) => ({ currency, amount: formatAmount(sum) }));
}
