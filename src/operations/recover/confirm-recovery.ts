import { BursarError } from '../../domain/errors/bursar-error.ts';
import { counted } from '../../domain/text/counted.ts';
import type { OperationContext } from '../context.ts';
import { confirm, type Confirmation } from '../prompts/confirm.ts';
import { type LostBatch, totalsOf } from './find-batches.ts';

/**
 * Has a person confirm the totals that may be paid yet. Throws RECOVERY_TOTALS_UNKNOWN, CONFIRMATION_MISSING, CONFIRMATION_WRONG,
 * PERSON_SAID_NO.
 */
export async function confirmRecovery(
  batches: readonly LostBatch[],
  flags: Confirmation,
  context: OperationContext,
): Promise<void> {
  const going = batches.filter(({ action }) => action !== 'NONE');
  const [unread] = going.filter(({ toPay }) => toPay === null);
  if (unread !== undefined && flags.yes !== true) {
    throw new BursarError('RECOVERY_TOTALS_UNKNOWN', { batchId: unread.batchId });
  }
  const totals = totalsOf(going.flatMap(({ toPay }) => toPay ?? []));
  if (totals.length === 0) return;
  const wish = `go on with ${counted(going.length, 'batch', 'batches')}`;
  await confirm(totals, { ...flags, wish }, context);
}
