import { BursarError, isBursarError } from '../../domain/errors/bursar-error.ts';
import { totalsText } from '../../domain/plan/control-totals.ts';
import type { OperationContext } from '../context.ts';
import { checkConfirmation } from '../input/totals.ts';

/** How the submitter confirmed on the command line, if at all. */
export type Confirmation = Readonly<{ yes?: boolean; confirm?: string }>;

/** The act to confirm, where it is no payment. */
type Wish = Readonly<{ wish?: string }>;

type Asking = OperationContext;

/** How often a total may be typed. A slip costs nothing; more than two are no slips. */
const TRIES_MAX = 3;

/**
 * Has a person confirm these totals: by `--yes`, by `--confirm`, or by typing them. A mistyped total may be typed
 * again, twice. Throws CONFIRMATION_MISSING, CONFIRMATION_WRONG, PERSON_SAID_NO.
 */
export async function confirm(
  totals: readonly Readonly<{ currency: string; total: string }>[],
  given: Confirmation & Wish,
  asking: Asking,
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
