import { condition, patched } from '@temporalio/workflow';
import type { BatchInput } from '../../contract/batch.ts';
import { checkBalance } from '../shared/activities.ts';
import type { BatchDesk } from './batch-desk.ts';

/** The longest time between two looks at a balance that differs, in milliseconds: an hour. */
const LOOK_MS_MAX = 3_600_000;

/**
 * Returns when the balance of the account no longer keeps the batch from its end. Money that left without explanation holds the
 * batch: it ends after a later read explains the balance, or after a person accepts the difference.
 *
 * The service may book returned money and fees late. So a difference counts after one slow poll, and not at once.
 */
export async function settleBalance(
  desk: BatchDesk,
  { batchId, options }: BatchInput,
): Promise<void> {
  // Batches that an earlier version began have no such step in their histories.
  if (!patched('conservation')) return;
  const patientUntilMs = Date.now() + options.pollMaxMs;
  for (let delayMs = options.pollMinMs; ; delayMs = Math.min(delayMs * 2, LOOK_MS_MAX)) {
    const isPatient = Date.now() < patientUntilMs;
    const checked = await checkBalance({ batchId, isPatient });
    if (checked.kind === 'done') break;
    const { hold } = checked.kind === 'held' ? checked : { hold: null };
    if (hold !== null) {
      desk.enter('SETTLING', hold.reason);
      desk.takeHold(hold);
    }
    const isLetPass = (): boolean => hold !== null && !desk.isHeldBy(hold);
    await condition(isLetPass, delayMs, { summary: 'the next look at the balance' });
  }
  for (const hold of desk.holdsOf(['BALANCE'])) desk.dropHold(hold);
}
