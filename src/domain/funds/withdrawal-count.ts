import type { BalanceLine, BalanceComparison } from './compare-balance.ts';
import type { ChunkFlow } from './outflow.ts';

/** The name under which withdrawals of a currency are counted like money. */
export const withdrawalsIn = (currency: string): string => `withdrawals in ${currency}`;

/**
 * A chunk with its rows in the place of its money. ASSUMED: the list of transactions shows one transaction of a mass payout for each
 * row that was paid.
 */
export function inRows(flow: ChunkFlow): ChunkFlow {
  const { currency, rows } = flow;
  return {
    ...flow,
    currency: withdrawalsIn(currency),
    total: String(rows.total),
    paid: String(rows.paid),
    open: String(rows.open),
    fee: '0',
  };
}

/**
 * The result of balance and withdrawals together. Withdrawals count only where the balance proves nothing. Example: 500
 * arrived while a batch of ten rows paid, so its balance can hide a double payment. Twelve withdrawals of ten rows show
 * it all the same. `isAlone`: no other batch was under way at the opening. A list that lags could show a withdrawal of
 * another batch late, and that must raise no alarm.
 */
export function together(
  balance: BalanceComparison,
  withdrawals: BalanceComparison | null,
  { isAlone }: Readonly<{ isAlone: boolean }>,
): BalanceComparison {
  if (balance.kind !== 'not-checkable' || withdrawals === null) return balance;
  switch (withdrawals.kind) {
    case 'explained':
      return withLines(withdrawals, balance.lines);
    case 'differs':
      return isAlone ? withLines(withdrawals, balance.lines) : balance;
    case 'not-checkable':
      return balance;
  }
}

const withLines = <Kind extends BalanceComparison>(
  found: Kind,
  more: readonly BalanceLine[],
): Kind => ({
  ...found,
  lines: [...more, ...found.lines],
});
