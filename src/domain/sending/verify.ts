import { isBursarError } from '../errors/bursar-error.ts';
import { type Amount, addAmounts, compareAmounts } from '../money/amount.ts';
import { parseSignedAmount } from '../money/signed-amount.ts';
import type { UnreadPart } from '../settling/unreadable-parts.ts';

/** The request by the intent. Amounts are canonical decimal text. */
export type IntentFacts = Readonly<{
  idempotencyKey: string;
  account: string;
  currency: string;
  total: string;
  externalId: string;
}>;

/** The mass payout by the service. Missing fields are undefined. */
export type PayoutFacts = Readonly<{
  idempotencyKey?: string | undefined;
  account?: string | undefined;
  currency?: string | undefined;
  totalWithdrawalAmount?: string | undefined;
  totalFee?: string | undefined;
  externalId?: string | undefined;
  /** The parts of its record that could not be read. */
  unreadableParts: readonly UnreadPart[];
}>;

/**
 * Names every fact in which the service's mass payout differs from the intent; none means that it is ours. A missing
 * field cannot differ: the spec does not show which are always there. An unreadable one counts as different. `ASSUMED:` the spec does not state whether
 * `totalWithdrawalAmount` includes the fee, so both readings are accepted.
 */
export function differencesOf(intent: IntentFacts, payout: PayoutFacts): string[] {
  const unread = unreadableFacts(payout).map((name) => `${name} cannot be read`);
  const differences = [...identityDifferences(intent, payout), ...unread];
  if (!isTotalOurs(intent.total, payout)) {
    differences.push(`total is ${payout.totalWithdrawalAmount ?? 'unknown'}, not ${intent.total}`);
  }
  return differences;
}

const NAMES = ['idempotencyKey', 'account', 'currency', 'externalId'] as const;

/** The facts of a mass payout that cannot be compared with the intent, since they cannot be read. An amount is never among them. */
export const unreadableFacts = ({ unreadableParts }: PayoutFacts): string[] =>
  NAMES.filter((name) => unreadableParts.some(({ path }) => path === name || path === ''));

/**
 * Names every fact by which a mass payout is not the intent's but another one. Unlike its total, none of them can
 * change while it is paid, so this holds at every later read too. A fact that cannot be read shows no other mass payout.
 */
export const identityDifferences = (
  intent: Pick<IntentFacts, (typeof NAMES)[number]>,
  payout: PayoutFacts,
): string[] =>
  NAMES.flatMap((name) => {
    const theirs = payout[name];
    return theirs === undefined || theirs.toLowerCase() === intent[name].toLowerCase()
      ? []
      : [`${name} is ${theirs}, not ${intent[name]}`];
  });

function isTotalOurs(total: string, payout: PayoutFacts): boolean {
  if (payout.totalWithdrawalAmount === undefined) return true;
  const ours = parseSignedAmount(total);
  const theirs = readAmount(payout.totalWithdrawalAmount);
  if (theirs === undefined) return false;
  if (compareAmounts(ours, theirs) === 0) return true;
  const fee = payout.totalFee === undefined ? undefined : readAmount(payout.totalFee);
  return fee !== undefined && compareAmounts(addAmounts(ours, fee), theirs) === 0;
}

/** An amount of the service; undefined when it is larger or finer than any of ours, and so is none of ours. */
export function readAmount(text: string): Amount | undefined {
  try {
    return parseSignedAmount(text);
  } catch (error) {
    if (isBursarError(error)) return undefined;
    throw error;
  }
}
