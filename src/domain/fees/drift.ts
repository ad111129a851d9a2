import { moneyText } from '../text/money-text.ts';
import { isRaisedBy } from '../money/percent.ts';
import { parseSignedAmount } from '../money/signed-amount.ts';
import type { FeeRules, Money } from '../plan/rules.ts';
import { type FeeCap, feeCaps } from './caps.ts';
import type { BatchFees, CurrencyFeeQuote, FeeQuotes } from './batch-fees.ts';

/** The result of the fee rules for quotes. `facts` are the compared values, as text, for the person who decides. */
export type FeeVerdict = Readonly<
  | { kind: 'within'; note: string }
  | { kind: 'drift' | 'above-cap'; reason: string; facts: Readonly<Record<string, string>> }
>;

export type FeeQuestion = Readonly<{
  /** The sum of the rows of each currency. */
  totals: readonly Money[];
  /** The quotes to be judged. */
  quotes: FeeQuotes;
  /** The earlier quotes; null: these are the first. */
  before: BatchFees | null;
  rules: FeeRules;
}>;

/**
 * Compares quotes with the fee rules: with the caps, and with the quotes of the plan or those accepted since. A fee
 * exactly at a limit is within it. A cap that a person has accepted stops the batch again only when the fee has also
 * risen, by more than the allowed drift, above the one that the person saw. A service that never quoted fees stops
 * nothing: there is nothing to compare, and the result states it. A service that quoted them with the plan and cannot
 * quote them now stops the batch, since the present fees are unknown. Estimates are compared with estimates: how a
 * batch is quoted depends on its rows, which never change.
 */
export function judgeFees(question: FeeQuestion): FeeVerdict {
  const { quotes, before } = question;
  const basis = before === null ? null : (before.accepted ?? before).quotes;
  if (quotes === null) return basis === null ? NOT_TOLD : noLongerTold(basis, question);
  const above = quotes.flatMap((quote) => capSentences(question, quote));
  const risen = quotes.flatMap((quote) => driftSentence(question, quote) ?? []);
  const reasons = [...above, ...risen];
  if (reasons.length === 0) return { kind: 'within', note: withinNote(quotes, basis) };
  return {
    kind: above.length > 0 ? 'above-cap' : 'drift',
    reason: reasons.join(' '),
    facts: feeFacts(quotes, basis),
  };
}

const NOT_TOLD: FeeVerdict = {
  kind: 'within',
  note: 'Fees are not available, so no rule about them was applied.',
};

function noLongerTold(basis: readonly CurrencyFeeQuote[], { rules }: FeeQuestion): FeeVerdict {
  const was = feesText(basis);
  if (!hasRule(rules))
    return {
      kind: 'within',
      note: `Fees were ${shownFees(basis)}. The service does not quote them now.`,
    };
  const reason = `Fees were ${was}; the service does not tell them any more, so nobody knows whether they have risen.`;
  return { kind: 'drift', reason, facts: feeFacts(null, basis) };
}

const hasRule = ({ driftMaxPercent, shareMaxPercent, totalMax }: FeeRules): boolean =>
  driftMaxPercent !== null || shareMaxPercent !== null || totalMax.length > 0;

/** The caps that a fee breaks, each as a sentence. */
function capSentences(question: FeeQuestion, quote: CurrencyFeeQuote): string[] {
  const { rules, before } = question;
  const seen = findQuote(before?.accepted?.quotes ?? null, quote);
  return capsOf(question, quote.currency).flatMap(({ limit, isBrokenBy }) => {
    if (!isBrokenBy(quote.fee)) return [];
    const isAccepted =
      seen !== undefined &&
      isBrokenBy(seen.fee) &&
      !isRisen(quote, seen, rules.driftMaxPercent ?? '0');
    return isAccepted ? [] : [`Fees of ${feeText(quote)} are above ${limit}.`];
  });
}

const capsOf = ({ rules, totals }: FeeQuestion, currency: string): FeeCap[] =>
  feeCaps(rules, totals.find((line) => line.currency === currency) ?? { currency, amount: '0' });

function driftSentence(
  { rules, before }: FeeQuestion,
  quote: CurrencyFeeQuote,
): string | undefined {
  const percent = rules.driftMaxPercent;
  const was = findQuote(before === null ? null : (before.accepted ?? before).quotes, quote);
  if (percent === null || was === undefined || !isRisen(quote, was, percent)) return undefined;
  return `Fees are ${feeText(quote)} now and were ${was.fee}: more than ${percent} percent above.`;
}

const isRisen = (now: CurrencyFeeQuote, was: CurrencyFeeQuote, percent: string): boolean =>
  isRaisedBy(amount(now.fee), amount(was.fee), amount(percent));

const findQuote = (
  quotes: FeeQuotes,
  { currency }: CurrencyFeeQuote,
): CurrencyFeeQuote | undefined => quotes?.find((quote) => quote.currency === currency);

const withinNote = (quotes: readonly CurrencyFeeQuote[], basis: FeeQuotes): string =>
  basis === null
    ? `Fees are ${shownFees(quotes)}.`
    : `Fees are ${shownFees(quotes)} and were ${shownFees(basis)}.`;

/** Quotes, and those that they were compared with, as the facts of a hold have them. */
export const feeFacts = (quotes: FeeQuotes, basis: FeeQuotes) => ({
  fees: feesText(quotes),
  before: feesText(basis),
});

/** Quotes for people. Reasons and facts of holds use {@link feesText}: approvers sign them, so their bytes stay. */
const shownFees = (quotes: FeeQuotes): string =>
  quotes === null
    ? 'not available'
    : quotes.map((one) => withNote(moneyText(one.fee, one.currency), one)).join(', ');

const feesText = (quotes: FeeQuotes): string =>
  quotes === null ? 'not available' : quotes.map(feeText).join(', ');

const feeText = (quote: CurrencyFeeQuote): string =>
  withNote(`${quote.fee} ${quote.currency}`, quote);

const withNote = (fee: string, { estimated }: CurrencyFeeQuote): string =>
  `${fee}${estimated ? ' (estimated)' : ''}`;

const amount = parseSignedAmount;
