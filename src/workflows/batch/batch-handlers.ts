import {
  CancellationScope,
  defineQuery,
  defineSignal,
  defineUpdate,
  patched,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import type { BatchInput } from '../../contract/batch.ts';
import type { Act, ApproveInput, Resume, SignedActResult } from '../../contract/messages.ts';
import {
  QUERY_STATUS,
  SIGNAL_CONTROLS,
  SIGNAL_FUNDS,
  UPDATE_APPROVE,
  UPDATE_CANCEL,
  UPDATE_PAUSE,
  UPDATE_RESUME,
} from '../../contract/names.ts';
import type { PartitionProgress } from '../../contract/partition.ts';
import { isAct, isProgress, isResume } from '../../contract/read-messages.ts';
import type { BatchStatus } from '../../contract/status.ts';
import type { Approval } from '../../domain/approval/statement.ts';
import { type ErrorNote, noteOf } from '../../domain/errors/bursar-error.ts';
import { isHoldNamed } from '../../domain/holds/hold.ts';
import { stepSummary } from '../../domain/text/markdown.ts';
import { progressSignal } from '../partition/partition-run.ts';
import {
  noteCancel,
  noteRefusedApproval,
  putHold,
  readControls,
  recordApproval,
  releaseApprovedHold,
  resumeBatch,
} from '../shared/activities.ts';
import { openNotifier } from '../shared/notifier.ts';
import { showStart } from '../shared/search-attributes.ts';
import { onStoreTrouble } from '../shared/store-trouble.ts';
import { refuseUpdate, updateFailure } from '../shared/update-failure.ts';
import { askedHold, isHoldApproved, needsApproval } from '../state/batch-approvals.ts';
import {
  approvalRefusal,
  endedNote,
  isRefusalRecorded,
  nameIn,
  pauseRefusal,
  refusedApproval,
  resumeRefusal,
  stopOfDecisions,
} from '../state/batch-refusals.ts';
import { batchAtStart } from '../state/batch-state.ts';
import {
  afterDecision,
  type BatchRun,
  change,
  dropHold,
  restoreDecisions,
  showDetails,
  showNeedsOperator,
  statusOf,
  stopPartitions,
  takeHold,
} from './batch-run.ts';

export const batchStatusQuery = defineQuery<BatchStatus>(QUERY_STATUS);
export const fundsSignal = defineSignal(SIGNAL_FUNDS);
export const controlsSignal = defineSignal(SIGNAL_CONTROLS);
export const cancelUpdate = defineUpdate<void, [Act]>(UPDATE_CANCEL);
export const approveUpdate = defineUpdate<void, [ApproveInput]>(UPDATE_APPROVE);
export const pauseUpdate = defineUpdate<void, [Act]>(UPDATE_PAUSE);
export const resumeUpdate = defineUpdate<SignedActResult, [Resume]>(UPDATE_RESUME);

/** Begins the run of a batch: its handlers are set before anything else happens, so that nothing that was sent to it is missed. */
export function beginBatch(input: BatchInput): BatchRun {
  const run: BatchRun = {
    input,
    state: batchAtStart(input, Date.now()),
    notifier: openNotifier(),
    canceling: Promise.resolve(),
  };
  setHandlers(run);
  showStart(input.batchId, run.state.state);
  onStoreTrouble(() => showNeedsOperator(run));
  showDetails(run);
  return run;
}

/** Updates that came before the first workflow task run at once. Histories have them in the order in which handlers are set. */
function setHandlers(run: BatchRun): void {
  setHandler(pauseUpdate, (act) => pause(run, act), {
    validator: (act: Act) =>
      refuseUpdate(unreadableNote(run, UPDATE_PAUSE, isAct(act)) ?? pauseRefusal(run.state)),
  });
  setHandler(resumeUpdate, (act) => resume(run, act), {
    validator: (act: Resume) =>
      refuseUpdate(unreadableNote(run, UPDATE_RESUME, isResume(act)) ?? endedNote(run.state)),
  });
  setHandler(approveUpdate, (input) => approve(run, input), {
    validator: (input) => {
      const refusal = approvalRefusal(run.state, input, Date.now());
      if (refusal !== null && !isRefusalRecorded(run.state, refusal, input)) refuseUpdate(refusal);
    },
  });
  setHandler(controlsSignal, async () => {
    if (endedNote(run.state) === undefined) await shielded(() => restoreDecisions(run));
  });
  setHandler(batchStatusQuery, () => statusOf(run));
  setHandler(cancelUpdate, (act) => cancel(run, act), {
    validator: (act: Act) =>
      refuseUpdate(unreadableNote(run, UPDATE_CANCEL, isAct(act)) ?? endedNote(run.state)),
  });
  setHandler(progressSignal, (progress) => {
    if (isProgress(progress)) takeProgress(run, progress);
  });
  setHandler(fundsSignal, () => change(run, { kind: 'funds-signaled' }));
  // A cancel in Temporal's own tools leads to the same orderly end as `bursar cancel`.
  CancellationScope.current().cancelRequested.catch(() => {
    const act = { by: 'Temporal', reason: 'the workflow was canceled in Temporal' };
    run.canceling = cancel(run, act);
  });
}

/** Why a message is refused that the workflow cannot read; undefined when it can. */
const unreadableNote = (
  { input: { batchId } }: BatchRun,
  message: string,
  isRead: boolean,
): ErrorNote | undefined =>
  isRead ? undefined : noteOf('MESSAGE_UNREADABLE', { batchId, message });

/** Handlers run in the workflow's own scope, which may have been canceled long ago. */
const shielded = <Result>(work: () => Promise<Result>): Promise<Result> =>
  CancellationScope.nonCancellable(work);

async function cancel(run: BatchRun, act: Act): Promise<void> {
  change(run, { kind: 'canceled', act });
  stopPartitions(run);
  await shielded(() => noteCancel({ batchId: run.input.batchId, ...act }));
}

function takeProgress(run: BatchRun, progress: PartitionProgress): void {
  change(run, { kind: 'progressed', progress });
  if (progress.halt !== null) stopPartitions(run);
  if (progress.hold !== undefined) takeHold(run, progress.hold);
  showNeedsOperator(run);
}

async function pause(run: BatchRun, { by, reason }: Act): Promise<void> {
  const { batchId } = run.input;
  const hold = await shielded(() => putHold({ batchId, kind: 'PAUSE', reason, by, facts: {} }));
  takeHold(run, hold);
  if (hold.by !== by || hold.reason !== reason) {
    throw updateFailure(noteOf('ALREADY_PAUSED', { batchId, by: hold.by }));
  }
}

async function resume(run: BatchRun, act: Resume): Promise<SignedActResult> {
  const { batchId } = run.input;
  const rulesToo = !needsApproval(run.state);
  // A store that was brought back from an older copy does not have the hold that the batch waits for.
  const forgotten = run.state.holds.open.filter(
    (hold) =>
      (hold.kind === 'PAUSE' || rulesToo) &&
      (act.hold === undefined || isHoldNamed(hold, act.hold)),
  );
  const hasForgotten = forgotten.length > 0;
  const asked = { batchId, ...act, rulesToo, stopped: stopOfDecisions(run.state) };
  const resumed = await shielded(() => resumeBatch({ ...asked, forgotten: hasForgotten }));
  if (resumed.kind === 'recorded') return { missing: [resumed.missing] };
  if (resumed.kind === 'resumed') dropHold(run, resumed.hold);
  else if (resumed.kind === 'not-held' && hasForgotten) {
    for (const hold of forgotten) dropHold(run, hold);
  } else throw updateFailure(resumeRefusal(batchId, resumed, act));
  return { missing: [] };
}

/** Records an approval or a refusal, and lets a held batch go on when that was the last one missing. */
async function approve(run: BatchRun, input: ApproveInput): Promise<void> {
  // The validator lets in refusals that are recorded. And another update may have come since: an approval counts once.
  const refusal = approvalRefusal(run.state, input, Date.now());
  if (refusal !== null) {
    change(run, { kind: 'refusal-recorded' });
    const refused = refusedApproval(run.state, refusal, input);
    await shielded(() => noteRefusedApproval(refused));
    throw updateFailure(refusal);
  }
  const { approval } = input;
  const { batchId } = run.input;
  const said = { batchId, approval, hold: askedHold(run.state), by: nameIn(input.by) };
  change(run, { kind: 'approval-came', approval });
  try {
    const recorded = await shielded(() => recordApproval(said));
    if (recorded.kind === 'refused') throw updateFailure(recorded.error);
    change(run, { kind: 'approval-recorded', approval });
    showLapse(run, approval);
  } finally {
    change(run, { kind: 'approval-handled', approval });
  }
  await releaseIfApproved(run);
  afterDecision(run);
}

/** Shows that an approval has lapsed when it does: nothing else may wake the batch then. */
function showLapse(run: BatchRun, { person, decision, expiresAt }: Approval): void {
  // Batches whose approvals came to an earlier version have no such timer in their histories.
  if (decision !== 'approve' || !patched('show-lapse')) return;
  const leftMs = Math.max(1, Date.parse(expiresAt) - Date.now());
  void sleep(leftMs, { summary: stepSummary(`the approval by ${person} lapses`) })
    .then(() => afterDecision(run))
    // A batch that is canceled waits for nothing.
    .catch(() => undefined);
}

/** Lets a held batch go on. The store decides: it may have come from an older copy that has fewer approvals. */
async function releaseIfApproved(run: BatchRun): Promise<void> {
  const hold = askedHold(run.state);
  if (hold === null || !isHoldApproved(run.state, Date.now())) return;
  const { batchId } = run.input;
  const { recorded: before } = run.state.approvals;
  const released = await shielded(() => releaseApprovedHold({ batchId, n: hold.n }));
  if (released.kind === 'released') return dropHold(run, hold);
  const { approvals } = await shielded(() => readControls({ batchId }));
  change(run, { kind: 'approvals-read', stored: approvals, before });
  throw updateFailure(noteOf('HOLD_APPROVALS_MISSING', { batchId, missing: released.missing }));
}
