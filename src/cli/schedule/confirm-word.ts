import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { Context } from '../context.ts';
import { ask } from '../terminal/ask.ts';

/**
 * Makes sure that a person means it: by `--yes`, or by typing what it is about. Throws SCHEDULE_UNCONFIRMED,
 * SCHEDULE_NOT_CONFIRMED.
 */
export async function confirmWord(
  { question, expected, yes }: Readonly<{ question: string; expected: string; yes?: boolean }>,
  { terminal, interrupted, mayAsk }: Pick<Context, 'terminal' | 'interrupted' | 'mayAsk'>,
): Promise<void> {
  if (yes) return;
  if (!mayAsk) throw new BursarError('SCHEDULE_UNCONFIRMED', { expected });
  const typed = await ask(terminal, `\n${question} Type ${expected} to go on: `, interrupted);
  interrupted.throwIfAborted();
  if (typed !== expected) throw new BursarError('SCHEDULE_NOT_CONFIRMED', { expected });
}
