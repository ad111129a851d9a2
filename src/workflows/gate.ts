import { condition } from '@temporalio/workflow';
import type { FeesStopped, Refused, Unpaid } from '../contract/activities.ts';
import type { BatchInput } from '../contract/batch.ts';
import { type ErrorNote, noteOf } from '../domain/errors/bursar-error.ts';
import { checkFees, claimFunds, confirmUnpaid, readControls, releaseBatch } from './activities.ts';
import { showDueTime } from './batch-attributes.ts';
import type { BatchDesk } from './batch-desk.ts';
import { DAY_HOLDS, dropOutdated, FEE_HOLDS, waitForFees } from './rule-holds.ts';
import { unlessStopped } from './unless-stopped.ts';
import { waitForFunds } from './wait-for-funds.ts';

/** Waits until nothing stands against paying any more; answers why it never will. `stopped`: what a fee rule said of the plan. */
export async function passGate(
  desk: BatchDesk,
  input: BatchInput,
  stopped: FeesStopped | null,
): Promise<ErrorNote | null> {
  const error = await untilReleased(desk, input, stopped);
  const refusal = desk.refusedBy();
  return refusal === null ? error : noteOf('REFUSED_BY_APPROVER', refusal);
}

async function untilReleased(
  desk: BatchDesk,
  input: BatchInput,
  stopped: FeesStopped | null,
): Promise<ErrorNote | null> {
  const { batchId } = input;
  const isStopped = (): boolean => desk.stopReason() !== null;
  const impossible = desk.approvals.impossibility();
  if (impossible !== null) return impossible;
  const waits = input.options.at !== null || !desk.approvals.isApproved() || stopped !== null;
  const unclaimed = waits ? await takePlace(desk, batchId) : null;
  if (unclaimed !== null) return unclaimed;
  let [fees, askedAtMs, doubts] = [stopped, waits ? 0 : Date.now(), 0];
  for (;;) {
    if (fees !== null) await waitForFees(desk, batchId, fees);
    fees = null;
    await waitForApproval(desk);
    await waitForDueTime(desk, input);
    if (isStopped()) return null;
    // What an earlier run was held for is judged by fees of now, not by those of the plan.
    if (isOld(askedAtMs) || desk.holdsOf(FEE_HOLDS).length > 0) {
      const asked = await unlessStopped(desk, () => checkFees({ batchId }));
      askedAtMs = Date.now();
      if (asked?.kind === 'refused') return asked.error;
      fees = asked === undefined || asked.kind === 'within' ? null : asked;
      if (fees !== null) continue;
      if (asked !== undefined) await dropOutdated(desk, batchId, FEE_HOLDS);
    }
    const short = await waitForFunds(desk, input);
    if (short !== null || isStopped()) return short;
    await dropOutdated(desk, batchId, DAY_HOLDS);
    await condition(() => !desk.isHeld() || isStopped());
    if (isStopped()) return null;
    if (isOld(askedAtMs)) continue;
    const unpaid = await confirmResend(desk, input);
    if (isStopped()) return null;
    if (unpaid.kind === 'refused') return unpaid.error;
    const released = await releaseBatch({ batchId });
    if (released.kind === 'released') return null;
    if (released.kind === 'refused') return released.error;
    // What was approved can lapse while a batch waits for its time, or be forgotten by a store that was brought back from
    // an older copy; then it is asked for again.
    await desk.restore(() => readControls({ batchId }));
    if (!desk.approvals.isApproved()) continue;
    doubts += 1;
    const { missing } = released;
    if (doubts > DOUBTS_MAX) return noteOf('APPROVALS_MISSING', { batchId, missing });
    await condition(isStopped, DOUBT_DELAY_MS, { summary: 'the clocks differ on the approvals' });
  }
}

/** How often batch and store may differ about approvals, as their clocks may, and the rest in between in milliseconds. */
const DOUBTS_MAX = 10;
const DOUBT_DELAY_MS = 2_000;

/** How long fees count that were asked for, in milliseconds. */
const FEES_FRESH_MS = 300_000;

const isOld = (askedAtMs: number): boolean => Date.now() - askedAtMs > FEES_FRESH_MS;

/** What a resend sends again must be unpaid at this very time: people may have sent it again themselves. */
async function confirmResend(
  desk: BatchDesk,
  { batchId, parentBatchId }: BatchInput,
): Promise<Unpaid | Refused> {
  const nothing = { kind: 'unpaid', rows: 0 } as const;
  if (parentBatchId === null) return nothing;
  desk.enter('CHECKING_FUNDS', 'reads the rows that it sends again once more');
  return (await unlessStopped(desk, () => confirmUnpaid({ batchId }))) ?? nothing;
}

/** Asks for the account's money before the batch can use it, so that others do not count on it. */
async function takePlace(desk: BatchDesk, batchId: string): Promise<ErrorNote | null> {
  const claimed = await unlessStopped(desk, () => claimFunds({ batchId }));
  if (claimed?.kind === 'refused') return claimed.error;
  if (claimed !== undefined)
    desk.showFigures({ outlook: claimed.outlook ?? 'enough, as it stands' });
  return null;
}

async function waitForApproval(desk: BatchDesk): Promise<void> {
  const isSettled = (): boolean => desk.approvals.isApproved() || desk.stopReason() !== null;
  if (isSettled()) return;
  desk.enter('AWAITING_APPROVAL', 'waits for people to approve it');
  desk.news.awaitingApproval(desk.approvals.status()?.missing ?? []);
  await condition(isSettled);
}

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
