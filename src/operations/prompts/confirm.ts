import type { CurrencyTotal } from '../../domain/money/currency-total.ts';
import { BursarError, isBursarError } from '../../domain/errors/bursar-error.ts';
import { totalsText } from '../../domain/plan/control-totals.ts';
import type { OperationContext } from '../context.ts';
import { checkConfirmation } from '../input/totals.ts';

/** How the submitter confirmed on the command line, if at all. */
export type Confirmation = Readonly<{ yes?: boolean; confirm?: string }>;

/** The act to confirm, where it is no payment. */
type Wish = Readonly<{ wish?: string }>;

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
  const expected = totalsText(totals);
  if (!asking.mayAsk) throw new BursarError('CONFIRMATION_MISSING', { expected });
  const question = `\nType ${expected} to ${given.wish ?? 'pay this'}, or nothing to stop: `;
  let wrong: BursarError | undefined;
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    const typed = await asking.ask(question);
    if (typed === '') throw new BursarError('PERSON_SAID_NO', {});
    // The input has ended.
    if (typed === undefined) break;
    wrong = wrongIn(typed, totals);
    if (wrong === undefined) return;
    if (tries < TRIES_MAX) asking.say(wrong.note.what);
  }
  throw wrong ?? new BursarError('PERSON_SAID_NO', {});
}

/** Why the totals that were typed are not those of the file; undefined when they are. */
function wrongIn(
  typed: string,
  totals: Parameters<typeof checkConfirmation>[1],
): BursarError | undefined {
  try {
    checkConfirmation(typed, totals);
    return undefined;
  } catch (error) {
    if (isBursarError(error)) return error;
    throw error;
  }
}

/** The statement of an operator before a resend. The audit log has it. */
export const NO_RESEND_STATEMENT = 'nothing was resent elsewhere';

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
  const question = `\nWas any of it sent again in the interface of the service, or by a file? If not, type "${NO_RESEND_STATEMENT}": `;
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
  const typed = await ask(`\n${question} Type ${expected} to go on: `);
  if (typed !== expected) throw new BursarError('SCHEDULE_NOT_CONFIRMED', { expected });
}
