import {
  addAmounts,
  type Amount,
  compareAmounts,
  formatAmount,
  subtractAmounts,
  ZERO,
} from '../money/amount.ts';
import { parseSignedAmount } from '../money/signed-amount.ts';

/** What a batch still needs of one currency. Canonical decimal text. */
export type Need = Readonly<{ currency: string; amount: string; fee: string }>;

/** A currency of which there is too little, as the error FUNDS_TOO_LOW tells it. */
export type Shortfall = Readonly<{
  currency: string;
  needed: string;
  available: string;
  reserved: string;
  short: string;
}>;

/**
 * Names every currency in which the account cannot carry the batch to its end: needed = unpaid rows and fees, on top of
 * what other open batches hold. A balance that is exactly enough is enough. A currency that is not held counts as zero.
 */
export function shortfallsOf(
  needs: readonly Need[],
  balances: ReadonlyMap<string, string>,
  held: ReadonlyMap<string, string>,
): Shortfall[] {
  return needs.flatMap((need) => {
    const needed = addAmounts(parseSignedAmount(need.amount), parseSignedAmount(need.fee));
    const available = amountOf(balances, need.currency);
    const reserved = amountOf(held, need.currency);
    const left = subtractAmounts(available, reserved);
    if (compareAmounts(left, needed) >= 0) return [];
    return {
      currency: need.currency,
      needed: formatAmount(needed),
      available: formatAmount(available),
      reserved: formatAmount(reserved),
      short: formatAmount(subtractAmounts(needed, left)),
    };
  });
}

const amountOf = (amounts: ReadonlyMap<string, string>, currency: string): Amount =>
  amounts.has(currency) ? parseSignedAmount(amounts.get(currency) ?? '0') : ZERO;
