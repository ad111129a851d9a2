import type { Outcome } from '../settling/outcome.ts';

/**
 * A class has all payments of one amount of one currency to one address: rows on one side, transactions on the other.
 * Within a class only hashes and times distinguish them.
 */

/** A row of a class; `index` is the caller's name for it. */
export type ClassRow = Readonly<{
  index: number;
  outcome: Outcome;
  /** Before this its transaction cannot be; milliseconds since 1970, 0 when it was never sent. */
  sinceMs: number;
  /** The hash that the service's own record of the row's withdrawal has. */
  hash?: string | undefined;
}>;

/** A transaction of a class; `index` is the caller's name for it. */
export type ClassTransaction = Readonly<{
  index: number;
  isOfMassPayout: boolean;
  atMs?: number | undefined;
  hash?: string | undefined;
}>;

/**
 * How many transactions of the class belong to rows of other batches. `certain`: they were paid in the window.
 * `possible`: they may have been, or at another time.
 */
export type OtherClaims = Readonly<{ certain: number; possible: number }>;

export type PaymentClass = Readonly<{
  rows: readonly ClassRow[];
  transactions: readonly ClassTransaction[];
  others: OtherClaims;
}>;

/** `hash`: their hashes agree. `only`: no other row could be meant. `equal`: rows that are alike share transactions that are alike. */
export type Certainty = 'hash' | 'only' | 'equal';

export type Pair = Readonly<{ row: ClassRow; transaction: ClassTransaction; certainty: Certainty }>;

export type ClassMatch = Readonly<{
  pairs: readonly Pair[];
  /** PAID rows that no transaction is left for. */
  missing: readonly ClassRow[];
  /** Transactions that neither a row nor another batch accounts for. */
  unclaimed: readonly ClassTransaction[];
  /** How many were left to other batches. */
  ofOthers: number;
  /**
   * How many PAID rows have a transaction that another batch has a right to as well, as there are too few: so many of
   * these rows, or of theirs, were not paid.
   */
  short: number;
}>;

/**
 * Matches the rows of one class with its transactions, each with one at most. Hashes decide first. Then PAID rows take
 * theirs, then the certain payments of other batches, then rows that may have been paid, then the possible payments of
 * others, and last rows that count as unpaid: a transaction that reaches those was paid after all.
 */
export function matchClass({ rows, transactions, others }: PaymentClass): ClassMatch {
  const pool = createPool(transactions);
  const pairs: Pair[] = [];
  const give = (wanting: readonly ClassRow[], certainty: Certainty, fits: Fit): ClassRow[] =>
    wanting.filter((row) => {
      const transaction = pool.take((each) => fits(row, each));
      if (transaction !== undefined) pairs.push({ row, transaction, certainty });
      return transaction === undefined;
    });
  const known = rows.filter(({ hash }) => hash !== undefined).sort(paidFirst);
  const without = new Set(give(known, 'hash', hasSameHash));
  const rest = rows.filter((row) => row.hash === undefined || without.has(row)).sort(bySince);
  const giveTo = (outcomes: readonly Outcome[]): ClassRow[] => {
    const wanting = rest.filter(({ outcome }) => outcomes.includes(outcome));
    return give(wanting, rows.length === 1 ? 'only' : 'equal', isInTime);
  };

  const missing = giveTo(['PAID']);
  const certain = pool.leave(others.certain);
  giveTo(['UNKNOWN', 'IN_FLIGHT']);
  const possible = pool.leave(others.possible);
  giveTo(['FAILED', 'NOT_SENT']);
  return {
    pairs,
    missing,
    unclaimed: pool.rest(),
    ofOthers: certain + possible,
    short: Math.min(others.certain - certain, pairs.filter(mayBeOfOthers).length),
  };
}

/** Whether a row's transaction may as well be that of a row of another batch. */
export const mayBeOfOthers = ({ row, certainty }: Pair): boolean =>
  row.outcome === 'PAID' && certainty !== 'hash';

type Fit = (row: ClassRow, transaction: ClassTransaction) => boolean;

const hasSameHash: Fit = (row, { hash }) => hash === row.hash;

/** A transaction without a date can belong to any row. */
const isInTime: Fit = ({ sinceMs }, { atMs }) => atMs === undefined || atMs >= sinceMs;

/** Free transactions, the likeliest first. Many rows may be alike, so nothing is moved when one is taken. */
function createPool(transactions: readonly ClassTransaction[]) {
  const sorted = [...transactions].sort(byPreference);
  const taken = new Uint8Array(sorted.length);
  let first = 0;
  const take = (fits: (each: ClassTransaction) => boolean): ClassTransaction | undefined => {
    while (taken[first] === 1) first += 1;
    for (let at = first; at < sorted.length; at += 1) {
      const each = sorted[at];
      if (each === undefined || taken[at] === 1 || !fits(each)) continue;
      taken[at] = 1;
      return each;
    }
    return undefined;
  };
  return {
    take,
    /** Takes so many, or all that are left; answers how many. */
    leave(count: number): number {
      let left = 0;
      while (left < count && take(() => true) !== undefined) left += 1;
      return left;
    },
    rest: (): ClassTransaction[] => sorted.filter((_, at) => taken[at] === 0),
  };
}

/** Many rows may be paid by one transaction of the chain, and then have one hash. */
const paidFirst = (a: ClassRow, b: ClassRow): number =>
  Number(b.outcome === 'PAID') - Number(a.outcome === 'PAID') || a.index - b.index;

/** Transactions of mass payouts come first, then older ones. */
const byPreference = (a: ClassTransaction, b: ClassTransaction): number =>
  Number(b.isOfMassPayout) - Number(a.isOfMassPayout) ||
  (a.atMs ?? Number.POSITIVE_INFINITY) - (b.atMs ?? Number.POSITIVE_INFINITY) ||
  a.index - b.index;

/** The row with the fewest choices comes first: then no row goes without one because of a row with more choices. */
const bySince = (a: ClassRow, b: ClassRow): number => b.sinceMs - a.sinceMs || a.index - b.index;
