import { compareAmounts } from '../money/amount.ts';
import { parseSignedAmount } from '../money/signed-amount.ts';
import { type BalanceLine, type BalanceComparison, isConclusive } from './compare-balance.ts';

export type DifferenceFacts = Readonly<{
  /** The difference that earlier reads showed, and that was not settled. */
  seen: readonly BalanceLine[];
  /** The result of the last read. */
  found: BalanceComparison;
  /** How much of a difference people have accepted, by currency. */
  accepted: ReadonlyMap<string, string>;
}>;

/**
 * What all reads of the balances prove together. `accepted`: a difference that a person accepted. `isCertain`: more left than was
 * ordered, so that nothing can be returned late that would explain it.
 */
export type BalanceDifference = Readonly<
  | Exclude<BalanceComparison, { kind: 'differs' }>
  | { kind: 'accepted'; lines: readonly BalanceLine[] }
  | { kind: 'differs'; lines: readonly BalanceLine[]; isCertain: boolean }
>;

/**
 * A difference that a read showed stays until it is settled: later reads that prove less do not undo it. Example: the
 * service paid a chunk of 101 twice, and a read showed it. Then a person tops the account up by 101, and the next read
 * looks explained. The money is gone all the same. Only a person settles money beyond all orders. A read that explains
 * it also settles money of ordered rows that were not paid: the service may return it late.
 */
export function judgeDifference({ seen, found, accepted }: DifferenceFacts): BalanceDifference {
  const lines = keepLargest(seen, found.lines);
  const isOver = (amount: string, currency: string): boolean =>
    isMore(amount, accepted.get(currency) ?? '0');
  if (lines.some(({ unexplained, currency }) => isOver(unexplained, currency))) {
    const isCertain = lines.some(({ beyondOrders = '0', currency }) =>
      isOver(beyondOrders, currency),
    );
    return { kind: 'differs', lines, isCertain };
  }
  const isAccepted = found.kind === 'differs' || lines.some(isUnexplained);
  return isAccepted ? { kind: 'accepted', lines } : found;
}

/** The lines of the last read, each with what stays of earlier ones. */
function keepLargest(seen: readonly BalanceLine[], found: readonly BalanceLine[]): BalanceLine[] {
  const kept = new Map<string, BalanceLine>();
  for (const line of seen) {
    kept.set(line.currency, withLargest(kept.get(line.currency) ?? line, line));
  }
  for (const line of found) {
    const before = kept.get(line.currency);
    kept.set(line.currency, before === undefined ? line : afterRead(before, line));
  }
  return [...kept.values()];
}

/**
 * A read with a certain amount replaces the money that may be returned late. No read replaces money beyond all orders.
 */
function afterRead(before: BalanceLine, now: BalanceLine): BalanceLine {
  const { beyondOrders = '0' } = before;
  return withLargest(isConclusive(now) ? { ...before, unexplained: beyondOrders } : before, now);
}

/** The larger difference of two, with the figures of the read that showed it first. */
function withLargest(before: BalanceLine, now: BalanceLine): BalanceLine {
  const beyondOrders = largest(before.beyondOrders ?? '0', now.beyondOrders ?? '0');
  const isLarger = isMore(now.unexplained, before.unexplained);
  const shown = isLarger || !isUnexplained(before) ? now : before;
  return { ...shown, ...(beyondOrders === '0' ? {} : { beyondOrders }) };
}

const isUnexplained = ({ unexplained }: BalanceLine): boolean => unexplained !== '0';

const isMore = (amount: string, than: string): boolean =>
  compareAmounts(parseSignedAmount(amount), parseSignedAmount(than)) > 0;

const largest = (one: string, other: string): string => (isMore(other, one) ? other : one);

/** The largest difference of several, by currency. */
export function largestOf(differences: readonly (readonly BalanceLine[])[]): Map<string, string> {
  const known = new Map<string, string>();
  for (const { currency, unexplained } of differences.flat()) {
    known.set(currency, largest(known.get(currency) ?? '0', unexplained));
  }
  return known;
}
