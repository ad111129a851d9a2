import { isSignedAmount } from '../money/signed-amount.ts';

/** The fee of a whole batch in one currency, as the service quoted it. Canonical decimal text. */
export type CurrencyFeeQuote = Readonly<{
  currency: string;
  fee: string;
  /** Whether it was quoted for the total and not for each amount; see `quote.ts`. */
  estimated: boolean;
}>;

/** The quotes of all currencies of a batch; null: the service returned none. */
export type FeeQuotes = readonly CurrencyFeeQuote[] | null;

const CURRENCY = /^[^\s,]{1,40}$/;

/** Whether a value is quotes, with one currency and one amount each: their text names them, and must not pass for other quotes. */
export const isFeeQuotes = (value: unknown): value is FeeQuotes =>
  value === null || (Array.isArray(value) && value.every(isFeeQuote));

function isFeeQuote(value: unknown): value is CurrencyFeeQuote {
  const { currency, fee, estimated } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const isNamed = typeof currency === 'string' && CURRENCY.test(currency);
  return (
    isNamed && typeof fee === 'string' && isSignedAmount(fee) && typeof estimated === 'boolean'
  );
}

/** Quotes, and when they were made or accepted, in milliseconds since 1970. */
export type FeeQuotesAt = Readonly<{ quotes: FeeQuotes; atMs: number }>;

/** All fee quotes of a batch from before its payment. */
export type BatchFees = Readonly<{
  /** With the plan. */
  quotes: FeeQuotes;
  /** The newest at the due time; missing before. */
  newest?: FeeQuotesAt;
  /** Those that a person accepted when the fee rules had stopped the batch: newer ones are held against them. */
  accepted?: FeeQuotesAt;
}>;

/**
 * Merges quotes with stored ones. Those of the plan stay. Any other gives way only to one that was made, or accepted,
 * later. The writer may have been frozen since it read the stored quotes.
 */
export function withFees(known: BatchFees | null, more: BatchFees): BatchFees {
  if (known === null) return more;
  const newest = laterOf(known.newest, more.newest);
  const accepted = laterOf(known.accepted, more.accepted);
  return {
    quotes: known.quotes ?? more.quotes,
    ...(newest === undefined ? {} : { newest }),
    ...(accepted === undefined ? {} : { accepted }),
  };
}

const laterOf = (
  one: FeeQuotesAt | undefined,
  other: FeeQuotesAt | undefined,
): FeeQuotesAt | undefined =>
  one === undefined || (other !== undefined && other.atMs >= one.atMs) ? other : one;

/** The present fees: the newest quotes that there are. */
export const feesNow = (fees: BatchFees | null): FeeQuotes =>
  fees?.newest?.quotes ?? fees?.quotes ?? null;
