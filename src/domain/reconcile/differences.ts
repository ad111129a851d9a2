import { formatAmount } from '../money/amount.ts';
import { createTally, type RunningSum } from '../money/tally.ts';
import type { RowNumber } from '../rows/row.ts';
import { readAmount } from '../sending/verify.ts';
import { DIFFERENCE_CODES, DIFFERENCE_TEXTS, type DifferenceCode } from './difference-texts.ts';
import type { Outcome } from '../settling/outcome.ts';
import type { NearbyRows, RowMatch } from './payment-book.ts';

/** One case of a difference, with its facts. Amounts are decimal text. */
export type DifferenceCase = Readonly<{
  row?: RowNumber;
  chunk?: number;
  massPayoutId?: string;
  withdrawalId?: string;
  amount?: string;
  address?: string;
  transactionHash?: string;
  /** ISO 8601 in UTC. */
  at?: string;
  detail?: string;
}>;

/** All cases of one kind in one currency. */
export type StatementDifference = Readonly<{
  code: DifferenceCode;
  mustLook: boolean;
  /** The counted things: `rows`, `transactions`, `mass payouts` or `lists`. */
  of: string;
  count: number;
  currency: string;
  /** The sum of the cases, decimal text; cases without a countable amount are left out. */
  amount: string;
  what: string;
  fix: string;
  /** The first cases; the CSV file has every row and transaction. */
  cases: readonly DifferenceCase[];
}>;

/** Cases of one difference that the statement keeps. */
export const CASES_MAX = 20;

export type Differences = Readonly<{
  add(code: DifferenceCode, currency: string, one: DifferenceCase): void;
  list(): StatementDifference[];
}>;

type Group = {
  code: DifferenceCode;
  currency: string;
  count: number;
  sum: RunningSum;
  cases: DifferenceCase[];
};

/** Gathers differences; memory does not grow with their number. */
export function createDifferences(): Differences {
  const groups = new Map<string, Group>();
  const groupOf = (code: DifferenceCode, currency: string): Group => {
    const key = `${code} ${currency}`;
    const known = groups.get(key);
    if (known !== undefined) return known;
    const group = { code, currency, count: 0, sum: createTally(), cases: [] };
    groups.set(key, group);
    return group;
  };
  return {
    add(code, currency, one) {
      const group = groupOf(code, currency);
      group.count += 1;
      if (group.cases.length < CASES_MAX) group.cases.push(one);
      const amount = one.amount === undefined ? undefined : readAmount(one.amount);
      if (amount !== undefined) group.sum.add(amount);
    },
    list: () =>
      [...groups.values()]
        .sort((a, b) => DIFFERENCE_CODES.indexOf(a.code) - DIFFERENCE_CODES.indexOf(b.code))
        .map(({ sum, ...group }) => ({
          ...DIFFERENCE_TEXTS[group.code],
          ...group,
          amount: formatAmount(sum.total()),
        })),
  };
}

/**
 * The difference between the batch and the wallet for a row; undefined without one. `hasMassPayout`: whether the batch
 * has a mass payout that holds the row.
 */
export function differenceOfRow(
  { outcome, transaction, isContested }: RowMatch,
  hasMassPayout: boolean,
): DifferenceCode | undefined {
  const sight = transaction === undefined ? 'unseen' : 'seen';
  if (isContested) return 'ROW_CONTESTED';
  if (outcome === 'IN_FLIGHT' && !hasMassPayout && sight === 'seen') return 'DOUBTFUL_ROW_PAID';
  return BY_OUTCOME[outcome][sight];
}

type BySight = Readonly<Record<'seen' | 'unseen', DifferenceCode | undefined>>;

const BY_OUTCOME: Readonly<Record<Outcome, BySight>> = {
  PAID: { seen: undefined, unseen: 'ROW_WITHOUT_TRANSACTION' },
  FAILED: { seen: 'UNPAID_ROW_PAID', unseen: undefined },
  NOT_SENT: { seen: 'UNPAID_ROW_PAID', unseen: undefined },
  UNKNOWN: { seen: 'UNKNOWN_ROW_PAID', unseen: 'UNKNOWN_ROW_UNSEEN' },
  IN_FLIGHT: { seen: undefined, unseen: undefined },
};

/** The kind of a transaction that belongs to no row. `isOurs`: its currency is one of the batch. */
export function differenceOfTransaction(
  { equalRow, missingRow }: NearbyRows,
  isOurs: boolean,
): DifferenceCode {
  if (equalRow !== undefined) return 'PAID_AGAIN';
  if (missingRow !== undefined) return 'OTHER_AMOUNT';
  return isOurs ? 'STRAY_TRANSACTION' : 'OTHER_CURRENCY';
}
