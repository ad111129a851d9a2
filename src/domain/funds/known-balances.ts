import { unreadableAnswer, type UnreadPart } from '../settling/unreadable-parts.ts';
import type { Money } from '../plan/rules.ts';

/** The balances of an account from a signed read, and the parts of the answer that could not be read. */
export type BalancesRead = Readonly<{
  balances: readonly Money[];
  unreadableParts: readonly UnreadPart[];
}>;

/**
 * Returns the balances by currency. A currency that the service does not list has none. Throws SERVICE_ANSWER_UNREADABLE when a wanted
 * currency is not listed and a balance could not be read: it may be the one.
 */
export function knownBalances(
  { balances, unreadableParts }: BalancesRead,
  wanted: readonly string[],
): ReadonlyMap<string, string> {
  const known = new Map(balances.map(({ currency, amount }) => [currency, amount]));
  const hidden = unreadableParts.filter(({ path }) => path === '' || path.startsWith('balances.'));
  if (hidden.length === 0 || wanted.every((currency) => known.has(currency))) return known;
  throw unreadableAnswer('ACCOUNT', hidden);
}
