import { condition } from '@temporalio/workflow';
import type { FeesStopped, Refused, Unpaid } from '../../contract/activities.ts';
import type { BatchInput } from '../../contract/batch.ts';
import {
  afterMissingApprovals,
  areFeesOld,
  nextReleaseStep,
  type ReleaseCheck,
  type ReleaseFacts,
  type ReleaseStep,
} from '../../domain/batch/release-step.ts';
import { type ErrorNote, noteOf } from '../../domain/errors/bursar-error.ts';
import {
  checkFees,
  claimFunds,
  confirmUnpaid,
  readControls,
  releaseBatch,
} from '../shared/activities.ts';
import { showDueTime } from '../shared/search-attributes.ts';
import type { BatchDesk } from './batch-desk.ts';
import { DAY_HOLDS, dropOutdated, FEE_HOLDS, waitForFees } from './rule-holds.ts';
import { unlessStopped } from './unless-stopped.ts';
import { waitForFunds } from './wait-for-funds.ts';

/** Waits until the batch may pay. Returns the refusal, or null when it may. `stopped`: the fee rule that stopped the plan. */
export async function waitForRelease(
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
  const impossible = desk.approvals.impossibility();
  if (impossible !== null) return impossible;
  const waits = input.options.at !== null || !desk.approvals.isApproved() || stopped !== null;
  const unclaimed = waits ? await takePlace(desk, input.batchId) : null;
  if (unclaimed !== null) return unclaimed;
  const progress: Progress = {
    fees: stopped,
    quotedAtMs: waits ? 0 : Date.now(),
    passed: new Set(),
    differences: 0,
  };
  for (;;) {
    const step = nextReleaseStep(factsOf(desk, progress));
    const ended = await carryOut(desk, input, { step, progress });
    if (ended !== undefined) return ended;
  }
}

/** How far the checks before the release have come. */
type Progress = {
  fees: FeesStopped | null;
  /** When the fees were quoted last, in milliseconds since 1970. */
  quotedAtMs: number;
  readonly passed: Set<ReleaseCheck>;
  /** How often the store missed approvals that the workflow has. */
  differences: number;
};

const factsOf = (desk: BatchDesk, { fees, quotedAtMs, passed }: Progress): ReleaseFacts => ({
  isStopped: desk.stopReason() !== null,
  areFeesStopped: fees !== null,
  areFeesOld: areFeesOld(quotedAtMs, Date.now()),
  hasFeeHolds: desk.holdsOf(FEE_HOLDS).length > 0,
  passed,
});

type Step = Readonly<{ step: ReleaseStep; progress: Progress }>;

/** Carries one step out. Returns how the checks ended: null when the batch may pay, an error when it never will. */
async function carryOut(
  desk: BatchDesk,
  input: BatchInput,
  { step, progress }: Step,
): Promise<ErrorNote | null | undefined> {
  switch (step.kind) {
    case 'end':
      return null;
    case 'accept-fees':
      if (progress.fees !== null) await waitForFees(desk, input.batchId, progress.fees);
      progress.fees = null;
      progress.passed.clear();
      return undefined;
    case 'begin-again':
      progress.passed.clear();
      return undefined;
    case 'check': {
      const refused = await CHECKS[step.check](desk, input, progress);
      progress.passed.add(step.check);
      return refused ?? undefined;
    }
    case 'release':
      return release(desk, input, progress);
  }
}

type Check = (desk: BatchDesk, input: BatchInput, progress: Progress) => Promise<ErrorNote | null>;

/** Each check waits until it is passed or the batch is stopped. Returns why the batch never passes it, or null. */
const CHECKS: Readonly<Record<ReleaseCheck, Check>> = {
  async approval(desk) {
    await waitForApproval(desk);
    return null;
  },
  async 'due-time'(desk, input) {
    await waitForDueTime(desk, input);
    return null;
  },
  async fees(desk, { batchId }, progress) {
    const asked = await unlessStopped(desk, () => checkFees({ batchId }));
    progress.quotedAtMs = Date.now();
    if (asked?.kind === 'refused') return asked.error;
    progress.fees = asked === undefined || asked.kind === 'within' ? null : asked;
    if (asked?.kind === 'within') await dropOutdated(desk, batchId, FEE_HOLDS);
    return null;
  },
  async funds(desk, input) {
    const short = await waitForFunds(desk, input);
    if (short !== null || desk.stopReason() !== null) return short;
    await dropOutdated(desk, input.batchId, DAY_HOLDS);
    return null;
  },
  async holds(desk) {
    await condition(() => !desk.isHeld() || desk.stopReason() !== null);
    return null;
  },
  async 'resend-rows'(desk, input) {
    const unpaid = await confirmResend(desk, input);
    return desk.stopReason() === null && unpaid.kind === 'refused' ? unpaid.error : null;
  },
};

/** Asks the store to release the batch. Undefined: the checks go on. */
async function release(
  desk: BatchDesk,
  { batchId }: BatchInput,
  progress: Progress,
): Promise<ErrorNote | null | undefined> {
  const released = await releaseBatch({ batchId });
  if (released.kind === 'released') return null;
  if (released.kind === 'refused') return released.error;
  // Approvals lapse while a batch waits for its time, and an older copy of the store has forgotten some.
  await desk.restore(() => readControls({ batchId }));
  progress.passed.clear();
  const isApproved = desk.approvals.isApproved();
  if (isApproved) progress.differences += 1;
  const next = afterMissingApprovals(isApproved, progress.differences);
  if (next === 'give-up') {
    return noteOf('APPROVALS_MISSING', { batchId, missing: released.missing });
  }
  if (next === 'wait-for-clocks') {
    const isStopped = (): boolean => desk.stopReason() !== null;
    await condition(isStopped, CLOCK_DELAY_MS, { summary: 'the clocks differ on the approvals' });
  }
  return undefined;
}

/** Wait before the store is asked again, in milliseconds. */
const CLOCK_DELAY_MS = 2_000;

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
