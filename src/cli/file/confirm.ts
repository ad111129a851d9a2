import { BursarError } from '../../domain/errors/bursar-error.ts';
import { totalsText } from '../../domain/plan/control-totals.ts';
import type { Context } from '../context.ts';
import { checkConfirmation } from '../flags/totals.ts';
import { ask } from '../terminal/ask.ts';

/** How the submitter said yes on the command line, if at all. */
export type Confirmation = Readonly<{ yes?: boolean; confirm?: string }>;

/** What the person is asked to do, where it is not to pay. */
type Wish = Readonly<{ wish?: string }>;

type Asking = Pick<Context, 'terminal' | 'interrupted' | 'mayAsk'>;

/**
 * Makes sure that a person wants these totals paid: by `--yes`, by `--confirm`, or by typing them.
 * Throws CONFIRMATION_MISSING, CONFIRMATION_WRONG, PERSON_SAID_NO.
 */
export async function confirm(
  totals: readonly Readonly<{ currency: string; total: string }>[],
  given: Confirmation & Wish,
  { terminal, interrupted, mayAsk }: Asking,
): Promise<void> {
  // A total that was given is checked even with --yes: a wrong one is a mistake, however it was meant.
  if (given.confirm !== undefined) return checkConfirmation(given.confirm, totals);
  if (given.yes) return;
  const expected = totalsText(totals);
  if (!mayAsk) throw new BursarError('CONFIRMATION_MISSING', { expected });
  const typed = await ask(
    terminal,
    `\nType ${expected} to ${given.wish ?? 'pay this'}, or nothing to stop: `,
    interrupted,
  );
  interrupted.throwIfAborted();
  if (typed === undefined || typed === '') throw new BursarError('PERSON_SAID_NO', {});
  checkConfirmation(typed, totals);
}
