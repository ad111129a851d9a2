import { isSameCurrency } from '../../domain/currencies/same-currency.ts';
import { feeCaps } from '../../domain/fees/caps.ts';
import { accountLines } from '../../domain/funds/account-lines.ts';
import type { FundsClaim } from '../../domain/funds/claim.ts';
import { type BalancesRead, knownBalances } from '../../domain/funds/known-balances.ts';
import { formatAmount, subtractAmounts } from '../../domain/money/amount.ts';
import { parseSignedAmount } from '../../domain/money/signed-amount.ts';
import type { FeeRules, Money } from '../../domain/plan/rules.ts';
import type { CurrencySummary } from '../../domain/rows/staging.ts';

/** The effect of a batch on the balance of one currency. Decimal text; the rest may be below zero. */
export type FundsLine = Readonly<{
  currency: string;
  available: string;
  requested: string;
  /** null where no quote was made, or the service returns none. */
  fee: string | null;
  /** The amount that paying batches still need. This and the next two: null without a store. */
  reserved: string | null;
  /** The needs of earlier batches that wait or are not due yet. */
  claimed: string | null;
  /** The amount that this batch can use; never below zero. */
  free: string | null;
  /** After this batch, and after the batches before it. */
  left: string;
  /** The caps that the house rules set on the fee; none where the fee is unknown. */
  caps: readonly Readonly<{ cap: string; isAbove: boolean }>[];
  /** The balances of the same money under other names; missing where there are none. */
  heldAs?: readonly Money[];
}>;

/** The quoted fees; none without a quote. */
export type KnownFees = Readonly<{ fees: ReadonlyMap<string, string>; rules: FeeRules }>;

/** The balances of an account, and the claims that come first; null without a store. */
export type AccountNow = Readonly<{
  read: BalancesRead;
  first: readonly FundsClaim[] | null;
}>;

/**
 * Holds the file's totals against the balance, and against what others need that come first. Throws SERVICE_ANSWER_UNREADABLE when the
 * balance of a currency of the file may be one that cannot be read.
 */
export function fundsLines(
  currencies: readonly CurrencySummary[],
  { read, first }: AccountNow,
  known?: KnownFees,
): FundsLine[] {
  const held = knownBalances(
    read,
    currencies.map(({ currency }) => currency),
  );
  const standing = accountLines(held, first ?? []);
  return currencies.map((line) => {
    const { currency, total } = line;
    const now = standing.find((one) => one.currency === currency) ?? EMPTY;
    const fee = known?.fees.get(currency) ?? null;
    const needed = [now.reserved, now.claimed, total, fee ?? '0'].map(parseSignedAmount);
    const heldAs = heldAsOf(currency, read.balances);
    const left = needed.reduce(subtractAmounts, parseSignedAmount(now.balance));
    return {
      currency,
      available: now.balance,
      requested: total,
      fee,
      reserved: first && now.reserved,
      claimed: first && now.claimed,
      free: first && now.free,
      left: formatAmount(left),
      ...(heldAs.length === 0 ? {} : { heldAs }),
      caps: known === undefined || fee === null ? [] : capsOf(known.rules, line, fee),
    };
  });
}

/**
 * A balance is compared by the name that the service lists. Only a person can decide that another name means the same.
 */
const heldAsOf = (currency: string, balances: BalancesRead['balances']): readonly Money[] =>
  balances
    .filter(
      (one) =>
        one.currency !== currency && one.amount !== '0' && isSameCurrency(one.currency, currency),
    )
    .map((one) => ({ currency: one.currency, amount: one.amount }));

/** A currency without a balance and without a claim. */
const EMPTY = { balance: '0', reserved: '0', claimed: '0', free: '0' } as const;

const capsOf = (rules: FeeRules, { currency, total }: CurrencySummary, fee: string) =>
  feeCaps(rules, { currency, amount: total }).map(({ cap, isBrokenBy }) => ({
    cap,
    isAbove: isBrokenBy(fee),
  }));
