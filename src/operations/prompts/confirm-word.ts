import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { OperationContext } from '../context.ts';

/**
 * Makes sure that a person means it: by `--yes`, or by typing what it is about. Throws SCHEDULE_UNCONFIRMED,
 * SCHEDULE_NOT_CONFIRMED.
 */
export async function confirmWord(
  { question, expected, yes }: Readonly<{ question: string; expected: string; yes?: boolean }>,
  { ask, mayAsk }: Pick<OperationContext, 'ask' | 'mayAsk'>,
): Promise<void> {
  if (yes) return;
  if (!mayAsk) throw new BursarError('SCHEDULE_UNCONFIRMED', { expected });
  const typed = await ask(`\n${question} Type ${expected} to go on: `);
  if (typed !== expected) throw new BursarError('SCHEDULE_NOT_CONFIRMED', { expected });
}
