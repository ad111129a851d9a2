import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { OperationContext } from '../context.ts';

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
