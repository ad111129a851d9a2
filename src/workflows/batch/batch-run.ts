import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  getExternalWorkflowHandle,
  setCurrentDetails,
} from '@temporalio/workflow';
import type { Controls } from '../../contract/activities.ts';
import type { BatchInput } from '../../contract/batch.ts';
import { partitionWorkflowId } from '../../contract/names.ts';
import type { BatchStatus } from '../../contract/status.ts';
import { type BatchState, mayMove } from '../../domain/batch/batch-state.ts';
import { stopReasonOf } from '../../domain/batch/stop-reason.ts';
import { type Hold, holdName, ruleHoldOf } from '../../domain/holds/hold.ts';
import { outdatedHolds } from '../../domain/holds/open-holds.ts';
import { goOnSignal, stopSignal } from '../partition/partition-handlers.ts';
import { readControls } from '../shared/activities.ts';
import { type Notifier, notify, untilNotified } from '../shared/notifier.ts';
import { showState, showWaiting } from '../shared/search-attributes.ts';
import { storeTrouble, storeTroublePart } from '../shared/store-trouble.ts';
import { judgeApprovals } from '../state/batch-approvals.ts';
import { fundsWaitEvent, waitingEvents } from '../state/batch-notifications.ts';
import {
  applyToBatch,
  type BatchEvent,
  type BatchFigures,
  type BatchRunState,
  batchStatus,
  isHeld,
  openPartitions,
  operatorChunksOf,
  type PartitionPosition,
  type ProposedPlan,
} from '../state/batch-state.ts';
import { batchDetails } from './batch-details.ts';

/** One run of the workflow of a batch. Only {@link change} replaces its state. */
export type BatchRun = {
  readonly input: BatchInput;
  state: BatchRunState;
  readonly notifier: Notifier;
  /** Records a cancel from Temporal's own tools, for which no handler waits. */
  canceling: Promise<void>;
};

/** Applies an event, and shows the new state on the page of the workflow. */
export function change(run: BatchRun, event: BatchEvent): void {
  run.state = applyToBatch(run.state, event);
  showDetails(run);
}

export const showDetails = (run: BatchRun): void =>
  setCurrentDetails(batchDetails(run.input, statusOf(run), run.state.figures));

export const statusOf = ({ state }: BatchRun): BatchStatus => ({
  ...batchStatus(state),
  ...storeTroublePart(),
});

/** Why nothing more of the batch is sent; null while sending goes on. */
export const stopReason = ({ state }: BatchRun): string | null => stopReasonOf(state);

/** Enters a state. The note describes in one sentence the work in that state. */
export function enter(run: BatchRun, to: BatchState, note: string): void {
  const from = run.state.state;
  if (from !== to && !mayMove(from, to)) {
    throw ApplicationFailure.nonRetryable(`a batch cannot go from ${from} to ${to}`);
  }
  change(run, { kind: 'entered', to, note, atMs: Date.now() });
  if (to === 'AWAITING_FUNDS' && from !== to) notify(run.notifier, fundsWaitEvent(run.state));
  showState(to);
}

export const showFigures = (run: BatchRun, figures: Partial<BatchFigures>): void =>
  change(run, { kind: 'figures-came', figures });

/** Records where a partition stands. A stop that came before the partition was there reaches it now. */
export function movePartition(run: BatchRun, partition: number, to: PartitionPosition): void {
  change(run, { kind: 'partition-moved', partition, to });
  if (to === 'started') stopPartitions(run);
}

export function proposePlan(run: BatchRun, plan: ProposedPlan): void {
  change(run, { kind: 'plan-proposed', plan });
  afterDecision(run);
}

/** Puts a hold on the batch, unless it was lifted before. */
export function takeHold(run: BatchRun, hold: Hold): void {
  if (run.state.holds.lifted.has(holdName(hold))) return;
  change(run, { kind: 'hold-put', hold });
  afterDecision(run);
}

export function dropHold(run: BatchRun, hold: Hold): void {
  change(run, { kind: 'hold-lifted', hold });
  afterDecision(run);
}

/** Goes on from the decisions that the store has, and from those that come while it is read. */
export async function restoreDecisions(run: BatchRun): Promise<Controls> {
  const { approvals, holds, batchId } = run.state;
  const controls = await readControls({ batchId });
  change(run, { kind: 'cancel-read', canceled: controls.canceled });
  change(run, { kind: 'approvals-read', stored: controls.approvals, before: approvals.recorded });
  for (const hold of outdatedHolds(holds.open, controls.holds)) dropHold(run, hold);
  for (const hold of controls.holds) takeHold(run, hold);
  afterDecision(run);
  return controls;
}

/** Judges the approvals again, and passes the results on: to partitions, to people, to Temporal's search. */
export function afterDecision(run: BatchRun): void {
  change(run, judgeApprovals(run.state, Date.now()));
  stopPartitions(run);
  if (!isHeld(run.state)) resumePartitions(run);
  showNeedsOperator(run);
}

/** Shows whether the batch needs an operator. A pause needs none: a person wanted it. The hold of a rule waits for an answer. */
export function showNeedsOperator(run: BatchRun): void {
  const { holds } = run.state;
  const needsOperator =
    operatorChunksOf(run.state).length > 0 ||
    ruleHoldOf(holds.open) !== null ||
    storeTrouble() !== null;
  showWaiting({ needsOperator, held: isHeld(run.state) });
  const events = waitingEvents(run.state);
  change(run, { kind: 'people-notified' });
  for (const event of events) notify(run.notifier, event);
}

/** Signals the stop of the batch, if there is one, to every partition that may still send. */
export function stopPartitions(run: BatchRun): void {
  const reason = stopReason(run);
  if (reason === null) return;
  signalPartitions(run, (partition) => partition.signal(stopSignal, reason));
}

/** Partitions that were held may send again. */
const resumePartitions = (run: BatchRun): void =>
  signalPartitions(run, (partition) => partition.signal(goOnSignal));

type PartitionHandle = ReturnType<typeof getExternalWorkflowHandle>;

function signalPartitions(
  { state }: BatchRun,
  signal: (partition: PartitionHandle) => Promise<void>,
): void {
  for (const partition of openPartitions(state)) {
    const handle = getExternalWorkflowHandle(partitionWorkflowId(state.batchId, partition));
    // Handlers run in the workflow's own scope, and a cancel in Temporal's tools would cancel the signal itself.
    void CancellationScope.nonCancellable(() => signal(handle))
      // A partition that has just ended has nothing left to send.
      .catch(() => undefined);
  }
}

/** Waits until every decision and notification is recorded. */
export async function untilRecorded(run: BatchRun): Promise<void> {
  await condition(allHandlersFinished);
  await run.canceling;
  await untilNotified(run.notifier);
}
