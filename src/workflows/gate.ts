import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';
import type { BatchInput } from '../contract/batch.ts';
import type { ErrorNote } from '../domain/errors/bursar-error.ts';
import { checkFunds, releaseBatch } from './activities.ts';
import { type BatchDesk, showDueTime } from './batch-desk.ts';

/** How often the balance is read while a batch waits for a top-up: often at first, and never more often than this many times. */
const FUNDS_POLLS_MAX = 500;

/** Waits for the time at which the submitter wants it paid. */
export async function waitForDueTime(desk: BatchDesk, { options }: BatchInput): Promise<void> {
  const { at } = options;
  if (at === null || desk.stopReason() !== null) return;
  desk.enter('SCHEDULED', `waits until ${at}`);
  showDueTime(at);
  const delayMs = Date.parse(at) - Date.now();
  if (delayMs <= 0) return;
  await condition(() => desk.stopReason() !== null, delayMs, { summary: `due at ${at}` });
}

/** Waits until nothing stands against paying any more; answers why it never will. */
export async function passGate(desk: BatchDesk, input: BatchInput): Promise<ErrorNote | null> {
  for (;;) {
    const short = await waitForFunds(desk, input);
    if (short !== null || desk.stopReason() !== null) return short;
    if (!desk.isHeld()) break;
    await condition(() => !desk.isHeld() || desk.stopReason() !== null);
    if (desk.stopReason() !== null) return null;
  }
  const released = await releaseBatch({ batchId: input.batchId });
  return released.kind === 'refused' ? released.error : null;
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
