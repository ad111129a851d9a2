import {
  type Amount,
  compareAmounts,
  formatAmount,
  subtractAmounts,
  ZERO,
} from '../money/amount.ts';
import { moneyText } from '../text/money-text.ts';
import { parseSignedAmount } from '../money/signed-amount.ts';
import { NOTHING, type Outflows } from './outflow.ts';

/** One currency of an account between two reads of its balance. Canonical decimal text; "-" before a value below zero. */
export type BalanceLine = Readonly<{
  currency: string;
  opening: string;
  closing: string;
  /** Opening less closing. */
  left: string;
  /** The part that the batches of this store explain, at least and at most; `atMost` is null when fees are unknown. */
  atLeast: string;
  atMost: string | null;
  /** What left beyond `atMost`; "0" when nothing did. */
  unexplained: string;
  /** What left beyond all that was ordered, also of rows that failed; missing when nothing did. No late return explains it. */
  beyondOrders?: string;
}>;

/**
 * The result of one read of the balances. `differs`: more left the account than all batches of this store explain.
 * `not-checkable`: the balances prove nothing, for the reason in `because`. `isPassing`: a later read may prove more.
 */
export type BalanceComparison = Readonly<
  | { kind: 'explained'; lines: readonly BalanceLine[] }
  | { kind: 'differs'; lines: readonly BalanceLine[] }
  | { kind: 'not-checkable'; because: string; lines: readonly BalanceLine[]; isPassing?: boolean }
>;

export type BalanceQuestion = Readonly<{
  /** The currencies that the batch pays in. */
  currencies: readonly string[];
  /** The balances before the first create, and what had left by then. */
  opening: Readonly<{ balances: ReadonlyMap<string, string>; flows: Outflows }>;
  /** The balances now, the money that has left, and the money that was ordered. */
  closing: Readonly<{
    balances: ReadonlyMap<string, string>;
    flows: Outflows;
    ordered: Outflows;
  }>;
}>;

/**
 * Compares the money that left an account with the money that the batches of this store ordered from it.
 *
 * Example: the balance was 1000 before the first create and is 780 after the last end. The batch paid 100 with a fee of 10. So
 * 220 left, at most 110 are explained, and 110 are not: the service paid twice, or another program paid.
 *
 * Money that arrives raises the balance and can hide money that left. So more money than expected is no alarm, and proves nothing.
 */
export function compareBalance(question: BalanceQuestion): BalanceComparison {
  const missing = question.currencies.filter(
    (currency) => !question.closing.balances.has(currency),
  );
  const lines = question.currencies
    .filter((currency) => !missing.includes(currency))
    .map((currency) => lineOf(question, currency));
  if (lines.some(({ unexplained }) => unexplained !== '0')) return { kind: 'differs', lines };
  const because = [
    ...missing.map((currency) => `the service shows no balance in ${currency}`),
    ...lines.flatMap(reasonOf),
  ];
  return because.length === 0
    ? { kind: 'explained', lines }
    : { kind: 'not-checkable', because: because.join('; '), lines };
}

function lineOf({ opening, closing }: BalanceQuestion, currency: string): BalanceLine {
  const before = opening.flows.get(currency) ?? NOTHING;
  const after = closing.flows.get(currency) ?? NOTHING;
  const openingAmount = parseSignedAmount(opening.balances.get(currency) ?? '0');
  const closingAmount = parseSignedAmount(closing.balances.get(currency) ?? '0');
  const left = subtractAmounts(openingAmount, closingAmount);
  const atMost = after.most === null ? null : subtractAmounts(after.most, before.sure);
  const ordered = closing.ordered.get(currency) ?? NOTHING;
  const orderedMost = ordered.most === null ? null : subtractAmounts(ordered.most, before.sure);
  const beyondOrders = excessOf(left, orderedMost);
  return {
    currency,
    opening: formatAmount(openingAmount),
    closing: formatAmount(closingAmount),
    left: formatAmount(left),
    // The fees of batches that were under way at the opening are unknown: then no amount has certainly left since.
    atLeast: formatAmount(subtractAmounts(after.sure, before.most ?? after.sure)),
    atMost: atMost === null ? null : formatAmount(atMost),
    unexplained: excessOf(left, atMost),
    ...(beyondOrders === '0' ? {} : { beyondOrders }),
  };
}

/** By how much an amount is above a limit; "0" when it is not, and when there is no limit. */
const excessOf = (amount: Amount, limit: Amount | null): string =>
  limit !== null && compareAmounts(amount, limit) > 0
    ? formatAmount(subtractAmounts(amount, limit))
    : '0';

/** Whether a read shows how much left in a currency: no incoming money can hide more, and the fees are known. */
export const isConclusive = (line: BalanceLine): boolean => reasonOf(line).length === 0;

function reasonOf({ currency, left, atLeast, atMost }: BalanceLine): string[] {
  const arrived = subtractAmounts(parseSignedAmount(atLeast), parseSignedAmount(left));
  if (compareAmounts(arrived, ZERO) > 0) {
    const amount = moneyText(formatAmount(arrived), currency);
    return [`at least ${amount} arrived meanwhile, which can hide money that left`];
  }
  return atMost === null ? [`the fees in ${currency} are not known`] : [];
}

/** The lines of a difference as facts of a hold, and back. */
export const factsOfLines = (lines: readonly BalanceLine[]): Record<string, string> =>
  Object.fromEntries(
    lines
      .filter(({ unexplained }) => unexplained !== '0')
      .map((line) => [line.currency, JSON.stringify(line)]),
  );

export const linesOfFacts = (facts: Readonly<Record<string, string>>): BalanceLine[] =>
  Object.values(facts).map((line) => JSON.parse(line) as BalanceLine);
