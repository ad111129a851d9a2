import { ENOUGH } from '../../domain/funds/outlook.ts';
import { condition } from '@temporalio/workflow';
import type { FeesStopped, Refused, Unpaid } from '../../contract/activities.ts';
import {
  afterMissingApprovals,
  areFeesOld,
  nextReleaseStep,
  type ReleaseCheck,
  type ReleaseFacts,
  type ReleaseStep,
} from '../../domain/batch/release-step.ts';
import { type ErrorNote, noteOf } from '../../domain/errors/bursar-error.ts';
import { checkFees, claimFunds, confirmUnpaid, releaseBatch } from '../shared/activities.ts';
import { notify } from '../shared/notifier.ts';
import { showDueTime } from '../shared/search-attributes.ts';
import { approvalImpossibility, approvalStatus, isPlanApproved } from '../state/batch-approvals.ts';
import { approvalWaitEvent } from '../state/batch-notifications.ts';
import { holdsOfKinds, isHeld } from '../state/batch-state.ts';
import {
  type BatchRun,
  change,
  enter,
  restoreDecisions,
  showFigures,
  stopReason,
} from './batch-run.ts';
import { DAY_HOLDS, dropOutdated, FEE_HOLDS, waitForFees } from './rule-holds.ts';
import { unlessStopped } from './unless-stopped.ts';
import { waitForFunds } from './wait-for-funds.ts';

/** Waits until the batch may pay. Returns the refusal, or null when it may. `stopped`: the fee rule that stopped the plan. */
export async function waitForRelease(
  run: BatchRun,
  stopped: FeesStopped | null,
): Promise<ErrorNote | null> {
  const error = await untilReleased(run, stopped);
  const refusal = run.state.refused;
  return refusal === null ? error : noteOf('REFUSED_BY_APPROVER', refusal);
}

async function untilReleased(
  run: BatchRun,
  stopped: FeesStopped | null,
): Promise<ErrorNote | null> {
  const impossible = approvalImpossibility(run.state);
  if (impossible !== null) return impossible;
  const waits = run.input.options.at !== null || !isApproved(run) || stopped !== null;
  const unclaimed = waits ? await takePlace(run) : null;
  if (unclaimed !== null) return unclaimed;
  const progress: Progress = {
    fees: stopped,
    quotedAtMs: waits ? 0 : Date.now(),
    passed: new Set(),
    differences: 0,
  };
  for (;;) {
    const step = nextReleaseStep(factsOf(run, progress));
    const ended = await carryOut(run, { step, progress });
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

const factsOf = (run: BatchRun, { fees, quotedAtMs, passed }: Progress): ReleaseFacts => ({
  isStopped: stopReason(run) !== null,
  areFeesStopped: fees !== null,
  areFeesOld: areFeesOld(quotedAtMs, Date.now()),
  hasFeeHolds: holdsOfKinds(run.state, FEE_HOLDS).length > 0,
  passed,
});

type Step = Readonly<{ step: ReleaseStep; progress: Progress }>;

/** Carries one step out. Returns how the checks ended: null when the batch may pay, an error when it never will. */
async function carryOut(
  run: BatchRun,
  { step, progress }: Step,
): Promise<ErrorNote | null | undefined> {
  switch (step.kind) {
    case 'end':
      return null;
    case 'accept-fees':
      if (progress.fees !== null) await waitForFees(run, progress.fees);
      progress.fees = null;
      progress.passed.clear();
      return undefined;
    case 'begin-again':
      progress.passed.clear();
      return undefined;
    case 'check': {
      const refused = await CHECKS[step.check](run, progress);
      progress.passed.add(step.check);
      return refused ?? undefined;
    }
    case 'release':
      return release(run, progress);
  }
}

type Check = (run: BatchRun, progress: Progress) => Promise<ErrorNote | null>;

/** Each check waits until it is passed or the batch is stopped. Returns why the batch never passes it, or null. */
const CHECKS: Readonly<Record<ReleaseCheck, Check>> = {
  async approval(run) {
    await waitForApproval(run);
    return null;
  },
  async 'due-time'(run) {
    await waitForDueTime(run);
    return null;
  },
  async fees(run, progress) {
    const { batchId } = run.input;
    const asked = await unlessStopped(run, () => checkFees({ batchId }));
    progress.quotedAtMs = Date.now();
    if (asked?.kind === 'refused') return asked.error;
    progress.fees = asked === undefined || asked.kind === 'within' ? null : asked;
    if (asked?.kind === 'within') await dropOutdated(run, FEE_HOLDS);
    return null;
  },
  async funds(run) {
    const short = await waitForFunds(run);
    if (short !== null || stopReason(run) !== null) return short;
    await dropOutdated(run, DAY_HOLDS);
    return null;
  },
  async holds(run) {
    await condition(() => !isHeld(run.state) || stopReason(run) !== null);
    return null;
  },
  async 'resend-rows'(run) {
    const unpaid = await confirmResend(run);
    return stopReason(run) === null && unpaid.kind === 'refused' ? unpaid.error : null;
  },
};

/** Releases the batch in the store. Undefined: the checks go on. */
async function release(run: BatchRun, progress: Progress): Promise<ErrorNote | null | undefined> {
  const { batchId } = run.input;
  const released = await releaseBatch({ batchId });
  if (released.kind === 'released') return null;
  if (released.kind === 'refused') return released.error;
  // Approvals lapse while a batch waits for its time, and an older copy of the store has forgotten some.
  await restoreDecisions(run);
  progress.passed.clear();
  const hasApproval = isApproved(run);
  if (hasApproval) progress.differences += 1;
  const next = afterMissingApprovals(hasApproval, progress.differences);
  if (next === 'give-up') {
    return noteOf('APPROVALS_MISSING', { batchId, missing: released.missing });
  }
  if (next === 'wait-for-clocks') {
    const isStopped = (): boolean => stopReason(run) !== null;
    await condition(isStopped, CLOCK_DELAY_MS, { summary: 'the clocks differ on the approvals' });
  }
  return undefined;
}

/** Wait before the next try of the release, in milliseconds. */
const CLOCK_DELAY_MS = 2_000;

/** The rows of a resend must be unpaid now: people may have sent them again themselves. */
async function confirmResend(run: BatchRun): Promise<Unpaid | Refused> {
  const { batchId, parentBatchId } = run.input;
  const nothing = { kind: 'unpaid', rows: 0 } as const;
  if (parentBatchId === null) return nothing;
  enter(run, 'CHECKING_FUNDS', 'checking again that the rows were not paid');
  return (await unlessStopped(run, () => confirmUnpaid({ batchId }))) ?? nothing;
}

/** Claims money of the account before the batch can use it, so that others do not count on it. */
async function takePlace(run: BatchRun): Promise<ErrorNote | null> {
  const { batchId } = run.input;
  const claimed = await unlessStopped(run, () => claimFunds({ batchId }));
  if (claimed?.kind === 'refused') return claimed.error;
  if (claimed !== undefined) showFigures(run, { outlook: claimed.outlook ?? ENOUGH });
  return null;
}

const isApproved = ({ state }: BatchRun): boolean => isPlanApproved(state, Date.now());

async function waitForApproval(run: BatchRun): Promise<void> {
  const isSettled = (): boolean => isApproved(run) || stopReason(run) !== null;
  if (isSettled()) return;
  enter(run, 'AWAITING_APPROVAL', 'people must approve the plan');
  const { missing = [] } = approvalStatus(run.state, Date.now()) ?? {};
  change(run, { kind: 'approvers-asked' });
  notify(run.notifier, approvalWaitEvent(run.state, missing));
  await condition(isSettled);
}

/** Waits for the time at which the submitter wants it paid. */
async function waitForDueTime(run: BatchRun): Promise<void> {
  const { at } = run.input.options;
  if (at === null || stopReason(run) !== null) return;
  showDueTime(at);
  const delayMs = Date.parse(at) - Date.now();
  if (delayMs <= 0) return;
  enter(run, 'SCHEDULED', `payment begins at ${at}`);
  await condition(() => stopReason(run) !== null, delayMs, { summary: `due at ${at}` });
}
