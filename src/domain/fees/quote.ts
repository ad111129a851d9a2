import type { FeeType } from '@bursar/merchant-api/spec';
import { addAmounts, type Amount, formatAmount, multiplyAmount, ZERO } from '../money/amount.ts';
import { parseSignedAmount } from '../money/signed-amount.ts';
import type { CurrencySummary } from '../rows/staging.ts';

/** ASSUMED: the spec names three fee types and does not state which one applies to a withdrawal. */
const FEE_TYPE: FeeType = 'SERVICE';

/** One amount to be priced. Spec: "Fee calculation". */
export type FeeQuoteItem = Readonly<{
  baseAmount: string;
  currency: string;
  opType: 'WITHDRAWAL';
  feeType: FeeType;
}>;

/** The used part of the service's answer for one item. */
export type PricedItem = Readonly<{
  amount: string;
  currency: string;
  feeSender: Readonly<{ fee: string }>;
}>;

/** The items to quote for one currency: each different amount once. */
export const feeItems = (summary: CurrencySummary): FeeQuoteItem[] =>
  amountsOf(summary).map(([baseAmount]) => ({
    baseAmount,
    currency: summary.currency,
    opType: 'WITHDRAWAL',
    feeType: FEE_TYPE,
  }));

/**
 * The fee of all rows of a currency; undefined when the answer does not price every amount. The spec shows no order of
 * the answers, so each is found by its amount.
 */
export function feeOf(
  summary: CurrencySummary,
  answers: readonly PricedItem[],
): string | undefined {
  const fees = new Map(
    answers
      .filter(({ currency }) => currency === summary.currency)
      .map(({ amount, feeSender }) => [canonical(amount), feeSender.fee]),
  );
  let sum: Amount = ZERO;
  for (const [amount, rows] of amountsOf(summary)) {
    const fee = fees.get(canonical(amount));
    if (fee === undefined) return undefined;
    sum = addAmounts(sum, multiplyAmount(parseSignedAmount(fee), rows));
  }
  return formatAmount(sum);
}

/** ASSUMED: a currency with more different amounts than are remembered is priced as one withdrawal of its total. */
const amountsOf = ({ amounts, total }: CurrencySummary): readonly (readonly [string, number])[] =>
  amounts ?? [[total, 1]];

const canonical = (amount: string): string => formatAmount(parseSignedAmount(amount));
