import { amountText } from '../../domain/text/money-text.ts';
import {
  type Amount,
  compareAmounts,
  formatAmount,
  subtractAmounts,
} from '../../domain/money/amount.ts';
import { parseSignedAmount } from '../../domain/money/signed-amount.ts';
import type { Differences } from '../../domain/reconcile/differences.ts';
import type { CurrencyStatement } from '../../domain/reconcile/statement.ts';
import type { Concluded } from './conclude.ts';
import type { MassPayoutSums } from './read-mass-payouts.ts';

type Sides = Readonly<{
  concluded: Concluded;
  payouts: ReadonlyMap<string, MassPayoutSums>;
}>;

const NO_PAYOUTS: MassPayoutSums = { count: 0, amount: '0', fee: '0', byState: {}, isWhole: false };

/** Each currency of the batch, side by side. */
export const statementsOf = ({
  concluded,
  payouts,
  hasTransactions,
}: Sides & Readonly<{ hasTransactions: boolean }>): CurrencyStatement[] =>
  [...concluded.tallies].map(([currency, tally]) => {
    const { isWhole: _, ...massPayouts } = payouts.get(currency) ?? NO_PAYOUTS;
    const transactions = hasTransactions ? tally.transactions() : null;
    return { currency, file: tally.file(), engine: tally.engine(), massPayouts, transactions };
  });

/**
 * Compares the fees of mass payouts with those of their transactions, where both are complete. ASSUMED: the fee of a
 * mass payout is in its own currency; the spec does not state it.
 */
export function compareFees(
  currencies: readonly CurrencyStatement[],
  { concluded, payouts, differences }: Sides & Readonly<{ differences: Differences }>,
): void {
  for (const { currency, engine, file, transactions } of currencies) {
    const tally = concluded.tallies.get(currency);
    const isWhole =
      payouts.get(currency)?.isWhole === true &&
      tally?.hasFeesIn(currency) === true &&
      engine.PAID.count === file.count &&
      transactions?.count === file.count;
    if (!isWhole) continue;
    const charged = parseSignedAmount(payouts.get(currency)?.fee ?? '0');
    const told = parseSignedAmount(transactions.serviceFees[0]?.amount ?? '0');
    if (compareAmounts(charged, told) === 0) continue;
    const shown = (amount: Amount): string => amountText(formatAmount(amount), currency);
    differences.add('FEES_DIFFER', currency, {
      amount: formatAmount(subtractAmounts(charged, told)),
      detail: `mass payouts ${shown(charged)}, transactions ${shown(told)}`,
    });
  }
}
