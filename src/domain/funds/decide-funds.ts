import {
  addAmounts,
  type Amount,
  compareAmounts,
  formatAmount,
  subtractAmounts,
  ZERO,
} from '../money/amount.ts';
import { parseSignedAmount } from '../money/signed-amount.ts';
import { type FundsClaim, type ClaimStage, type Need, needsOf, stageOf, totalOf } from './claim.ts';
import { type Looks, mostOpen, surelyOpen } from './looks.ts';
import { claimsBefore } from './order.ts';

/** Money that is kept for another batch. */
export type Holder = Readonly<{
  batchId: string;
  amount: string;
  stage: ClaimStage;
  dueAtMs: number | null;
}>;

/** A currency of which there is too little, and who else holds how much of it. Canonical decimal text. */
export type Shortfall = Readonly<{
  currency: string;
  needed: string;
  available: string;
  reserved: string;
  short: string;
  holders: readonly Holder[];
}>;

/**
 * `unclear`: money may or may not have been taken while the balance was read, or a claim before this one is just being
 * decided; it must be read again. `isExact`: whether the missing amount is certain.
 */
export type FundsVerdict = Readonly<
  | { kind: 'enough' }
  | { kind: 'short'; shortfalls: SomeShortfalls; isExact: boolean }
  | { kind: 'unclear'; shortfalls: SomeShortfalls }
>;

export type SomeShortfalls = readonly [Shortfall, ...Shortfall[]];

export type FundsQuestion = Readonly<{
  own: FundsClaim;
  looks: Looks;
  balances: ReadonlyMap<string, string>;
  nowMs: number;
}>;

/**
 * Decides whether a batch may pay. The balance must carry it to its end, on top of the needs of granted batches and of
 * those before it in the queue. The answer is yes only if it holds for every order of events during the read.
 */
export function judgeFunds(question: FundsQuestion): FundsVerdict {
  const [first, ...more] = shortfallsAgainst(question, mostOpen(question.looks));
  if (first === undefined) return { kind: 'enough' };
  const shortfalls = [first, ...more] as const;
  const sure = shortfallsAgainst(question, surelyOpen(question.looks));
  if (sure.length === 0) return { kind: 'unclear', shortfalls };
  return { kind: 'short', shortfalls, isExact: isSameShort(shortfalls, sure) };
}

/** A certain shortfall is among the possible ones, in the same order. */
const isSameShort = (all: readonly Shortfall[], sure: readonly Shortfall[]): boolean =>
  all.length === sure.length && all.every(({ short }, i) => short === sure[i]?.short);

function shortfallsAgainst(question: FundsQuestion, claims: readonly FundsClaim[]): Shortfall[] {
  const others = claimsBefore(claims, question.own, question.nowMs);
  return shortfallsOf(needsOf(question.own), question.balances, (currency) =>
    holdersOf(others, currency, question.nowMs),
  );
}

/** Who holds how much of a currency, the largest first. */
export function holdersOf(
  claims: readonly FundsClaim[],
  currency: string,
  nowMs: number,
): readonly Holder[] {
  const held = claims.flatMap((claim) => {
    const need = needsOf(claim).find((one) => one.currency === currency);
    return need === undefined ? [] : { claim, amount: totalOf(need) };
  });
  return held
    .sort((a, b) => compareAmounts(b.amount, a.amount))
    .map(({ claim, amount }) => ({
      batchId: claim.batchId,
      amount: formatAmount(amount),
      stage: stageOf(claim, nowMs),
      dueAtMs: claim.dueAtMs,
    }));
}

/**
 * Names every currency in which the account cannot carry the batch to its end: rows and fees, on top of what others hold.
 * A balance that is exactly enough is enough. A currency that is not held counts as zero.
 */
export function shortfallsOf(
  needs: readonly Need[],
  balances: ReadonlyMap<string, string>,
  holdersOfCurrency: (currency: string) => readonly Holder[],
): Shortfall[] {
  return needs.flatMap((need) => {
    const { currency } = need;
    const needed = totalOf(need);
    const available = parseSignedAmount(balances.get(currency) ?? '0');
    const holders = holdersOfCurrency(currency);
    const reserved = holders.reduce(
      (sum: Amount, { amount }) => addAmounts(sum, parseSignedAmount(amount)),
      ZERO,
    );
    const left = subtractAmounts(available, reserved);
    if (compareAmounts(left, needed) >= 0) return [];
    return {
      currency,
      needed: formatAmount(needed),
      available: formatAmount(available),
      reserved: formatAmount(reserved),
      short: formatAmount(subtractAmounts(needed, left)),
      holders,
    };
  });
}
