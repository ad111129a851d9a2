import type { CurrencyTotal } from '../../domain/money/currency-total.ts';
import { BursarError, isBursarError } from '../../domain/errors/bursar-error.ts';
import { NO_RESEND_STATEMENT } from '../../domain/lineage/no-resend.ts';
import { totalsText } from '../../domain/plan/control-totals.ts';
import { counted } from '../../domain/text/counted.ts';
import { amountText, moneyText } from '../../domain/text/money-text.ts';
import type { OperationContext } from '../context.ts';
import { checkConfirmation } from '../input/totals.ts';

/** How the submitter confirmed on the command line, if at all. */
export type Confirmation = Readonly<{ yes?: boolean; confirm?: string }>;

/** `wish`: the act to confirm, where it is no payment. `lead`: a sentence before the question. */
type Wish = Readonly<{ wish?: string; lead?: string }>;

/** How often a total may be typed. A slip costs nothing; more than two are no slips. */
const TRIES_MAX = 3;

/**
 * Has a person confirm these totals: by `--yes`, by `--confirm`, or by typing them. A mistyped total may be typed
 * again, twice. Throws CONFIRMATION_MISSING, CONFIRMATION_WRONG, PERSON_SAID_NO.
 */
export async function confirm(
  totals: readonly CurrencyTotal[],
  given: Confirmation & Wish,
  asking: OperationContext,
): Promise<void> {
  // A total that was given is checked even with --yes: a wrong one is a mistake, however it was meant.
  if (given.confirm !== undefined) return checkConfirmation(given.confirm, totals);
  if (given.yes) return;
  if (!asking.mayAsk) {
    throw new BursarError('CONFIRMATION_MISSING', { expected: totalsText(totals) });
  }
  const question = questionOf(totals, given);
  let wrong: BursarError | undefined;
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    const typed = await asking.ask(question);
    if (typed === '') throw new BursarError('PERSON_SAID_NO', {});
    // The input has ended.
    if (typed === undefined) break;
    wrong = wrongIn(typed, totals);
    if (wrong === undefined) return;
    if (tries < TRIES_MAX) asking.say(TRY_AGAIN);
  }
  throw wrong ?? new BursarError('PERSON_SAID_NO', {});
}

const TRY_AGAIN =
  'The amount does not match. You type it so that no file is paid unread. Try again.';

function questionOf(totals: readonly CurrencyTotal[], { wish = 'pay', lead }: Wish): string {
  const [only, ...more] = totals;
  const what =
    only !== undefined && more.length === 0
      ? `the amount (${only.total})`
      : `the totals (${totalsText(totals)})`;
  const head = lead === undefined ? '' : `${lead}\n`;
  return `\n${head}Type ${what} to ${wish}, or press Enter to stop: `;
}

/**
 * The payment that a person is about to confirm, with the fees where they were quoted:
 * `You are about to pay 60.50 USDT (TRC20) in 3 payments, plus a fee of about 0.61 USDT (TRC20).`
 */
export function paymentLead(
  currencies: readonly (CurrencyTotal & Readonly<{ rows: number }>)[],
  funds: readonly Readonly<{ currency: string; fee: string | null }>[] | null,
): string {
  const parts = currencies.map(({ currency, total, rows }) => {
    const fee = funds?.find((line) => line.currency === currency)?.fee ?? null;
    const about = fee === null ? '' : `, plus a fee of about ${moneyText(fee, currency)}`;
    return `${moneyText(total, currency)} in ${counted(rows, 'payment')}${about}`;
  });
  return `You are about to pay ${parts.join('; ')}.`;
}

/** Why the totals that were typed are not those of the file; undefined when they are. */
function wrongIn(typed: string, totals: readonly CurrencyTotal[]): BursarError | undefined {
  try {
    checkConfirmation(withCurrency(typed, totals), totals);
    return undefined;
  } catch (error) {
    if (isBursarError(error)) return error;
    throw error;
  }
}

/** A person sees the currency in the question, and may type the amount alone, or as the question shows it. */
function withCurrency(typed: string, [only, ...more]: readonly CurrencyTotal[]): string {
  if (only === undefined || more.length > 0 || typed.includes(':')) return typed;
  const { currency, total } = only;
  const isShown = [amountText(total, currency), moneyText(total, currency)].includes(typed);
  return `${isShown ? total : typed}:${currency}`;
}

/**
 * Has a person state, by the flag or by typing the sentence, that nothing was sent again elsewhere. No read of the
 * service can show the next click of a person. Throws RESEND_UNSTATED.
 */
export async function stateNoResend(
  isStated: boolean,
  { ask, mayAsk }: OperationContext,
): Promise<string> {
  if (isStated) return NO_RESEND_STATEMENT;
  const unstated = new BursarError('RESEND_UNSTATED', { expected: NO_RESEND_STATEMENT });
  if (!mayAsk) throw unstated;
  const question = `\nCheck that nobody re-sent these payments in the provider's own portal, or by a file. Then type "${NO_RESEND_STATEMENT}": `;
  const typed = await ask(question);
  if (typed?.toLowerCase().replace(/\.$/, '') !== NO_RESEND_STATEMENT) throw unstated;
  return NO_RESEND_STATEMENT;
}

/**
 * Has a person confirm an act: by `--yes`, or by typing the name of its object. Throws SCHEDULE_UNCONFIRMED,
 * SCHEDULE_NOT_CONFIRMED.
 */
export async function confirmWord(
  { question, expected, yes }: Readonly<{ question: string; expected: string; yes?: boolean }>,
  { ask, mayAsk }: OperationContext,
): Promise<void> {
  if (yes) return;
  if (!mayAsk) throw new BursarError('SCHEDULE_UNCONFIRMED', { expected });
  const typed = await ask(`\n${question} Type ${expected} to continue: `);
  if (typed !== expected) throw new BursarError('SCHEDULE_NOT_CONFIRMED', { expected });
}
