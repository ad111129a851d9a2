import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';
import type { BatchInput } from '../contract/batch.ts';
import { type ErrorNote, noteOf } from '../domain/errors/bursar-error.ts';
import { checkFunds, releaseBatch } from './activities.ts';
import { type BatchDesk, showDueTime } from './batch-desk.ts';

/** How often the balance is read while a batch waits for a top-up: often at first, and never more often than this many times. */
const FUNDS_POLLS_MAX = 500;

/** Waits for the time at which the submitter wants it paid. */
async function waitForDueTime(desk: BatchDesk, { options }: BatchInput): Promise<void> {
  const { at } = options;
  if (at === null || desk.stopReason() !== null) return;
  showDueTime(at);
  const delayMs = Date.parse(at) - Date.now();
  if (delayMs <= 0) return;
  desk.enter('SCHEDULED', `waits until ${at}`);
  await condition(() => desk.stopReason() !== null, delayMs, { summary: `due at ${at}` });
}

/** Waits until nothing stands against paying any more; answers why it never will. */
export async function passGate(desk: BatchDesk, input: BatchInput): Promise<ErrorNote | null> {
  const error = await untilReleased(desk, input);
  const refusal = desk.refusedBy();
  return refusal === null ? error : noteOf('REFUSED_BY_APPROVER', refusal);
}

async function untilReleased(desk: BatchDesk, input: BatchInput): Promise<ErrorNote | null> {
  const { batchId } = input;
  const isStopped = (): boolean => desk.stopReason() !== null;
  const impossible = desk.approvals.impossibility();
  if (impossible !== null) return impossible;
  for (;;) {
    await waitForApproval(desk);
    if (isStopped()) return null;
    await waitForDueTime(desk, input);
    if (isStopped()) return null;
    const short = await waitForFunds(desk, input);
    if (short !== null || isStopped()) return short;
    await condition(() => !desk.isHeld() || isStopped());
    if (isStopped()) return null;
    const released = await releaseBatch({ batchId });
    if (released.kind === 'released') return null;
    if (released.kind === 'refused') return released.error;
    // What was approved can lapse while a batch waits for its time; then it is asked for again.
    const { missing } = released;
    if (desk.approvals.isApproved()) return noteOf('APPROVALS_MISSING', { batchId, missing });
  }
}

async function waitForApproval(desk: BatchDesk): Promise<void> {
  const isSettled = (): boolean => desk.approvals.isApproved() || desk.stopReason() !== null;
  if (isSettled()) return;
  desk.enter('AWAITING_APPROVAL', 'waits for people to approve it');
  await condition(isSettled);
}

/** Waits until the account can carry the batch; answers why it cannot, when the submitter's patience is over. */
async function waitForFunds(desk: BatchDesk, { batchId, options }: BatchInput) {
  const { fundsWaitMs, pollMinMs } = options;
  const deadlineMs = Date.now() + (fundsWaitMs ?? 0);
  const delayMs = Math.max(pollMinMs, (fundsWaitMs ?? 0) / FUNDS_POLLS_MAX);
  for (;;) {
    desk.enter('CHECKING_FUNDS', 'reads the balance of the account');
    const funds = await unlessStopped(desk, () => checkFunds({ batchId }));
    if (funds === undefined || funds.kind === 'enough') return null;
    if (funds.kind === 'refused' || Date.now() >= deadlineMs) return funds.error;
    desk.enter('AWAITING_FUNDS', funds.error.what);
    const waitMs = Math.max(1, Math.min(delayMs, deadlineMs - Date.now()));
    await condition(() => desk.stopReason() !== null, waitMs, { summary: 'wait for a top-up' });
    if (desk.stopReason() !== null) return null;
  }
}

/** Asks the service something, unless the batch is stopped first: then the question is dropped. */
export async function unlessStopped<Result>(
  desk: BatchDesk,
  ask: () => Promise<Result>,
): Promise<Result | undefined> {
  const scope = new CancellationScope();
  let ended = false;
  void condition(() => ended || desk.stopReason() !== null).then(() => {
    if (!ended) scope.cancel();
  });
  try {
    return await scope.run(ask);
  } catch (error) {
    if (isCancellation(error) && desk.stopReason() !== null) return undefined;
    throw error;
  } finally {
    ended = true;
  }
}
