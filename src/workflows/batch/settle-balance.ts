import { condition, patched } from '@temporalio/workflow';
import { isHoldOpen } from '../../domain/holds/open-holds.ts';
import { checkBalance } from '../shared/activities.ts';
import { holdsOfKinds } from '../state/batch-state.ts';
import { type BatchRun, dropHold, enter, takeHold } from './batch-run.ts';

/** The longest time between two reads of a balance that differs, in milliseconds: an hour. */
const LOOK_MS_MAX = 3_600_000;

/**
 * Returns when the balance of the account no longer keeps the batch from its end. Money that left without explanation holds the
 * batch: it ends after a later read explains the balance, or after a person accepts the difference.
 *
 * The service may book returned money and fees late. So a difference counts after one slow poll, and not at once.
 */
export async function settleBalance(run: BatchRun): Promise<void> {
  const { batchId, options } = run.input;
  // Batches that an earlier version began have no such step in their histories.
  if (!patched('conservation')) return;
  const patientUntilMs = Date.now() + options.pollMaxMs;
  for (let delayMs = options.pollMinMs; ; delayMs = Math.min(delayMs * 2, LOOK_MS_MAX)) {
    const isPatient = Date.now() < patientUntilMs;
    const checked = await checkBalance({ batchId, isPatient });
    if (checked.kind === 'done') break;
    const { hold } = checked.kind === 'held' ? checked : { hold: null };
    if (hold !== null) {
      enter(run, 'SETTLING', hold.reason);
      takeHold(run, hold);
    }
    const isLetPass = (): boolean => hold !== null && !isHoldOpen(run.state.holds, hold);
    await condition(isLetPass, delayMs, { summary: 'the next read of the balance' });
  }
  for (const hold of holdsOfKinds(run.state, ['BALANCE'])) dropHold(run, hold);
}
