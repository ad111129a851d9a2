import {
  CancellationScope,
  defineSignal,
  getExternalWorkflowHandle,
  setCurrentDetails,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { batchWorkflowId, SIGNAL_PROGRESS } from '../../contract/names.ts';
import type { PartitionInput, PartitionProgress } from '../../contract/partition.ts';
import { boardCounts, type ChunkPosition, chunksAt } from '../../domain/batch/partition-board.ts';
import type { Hold } from '../../domain/holds/hold.ts';
import { isNewProgress, type VerificationProgress } from '../../domain/restore/progress.ts';
import { partitionDetails } from '../shared/details.ts';
import { KEYS } from '../shared/search-attributes.ts';
import {
  applyToPartition,
  groupCount,
  isCalled,
  isFirstPollDue,
  isHoldReported,
  type PartitionEvent,
  type PartitionRunState,
  sendingCount,
} from '../state/partition-state.ts';
import {
  isConfirmationChanged,
  isOperatorNeedChanged,
  operatorChunks,
  partitionProgress,
} from '../state/partition-report.ts';

export const progressSignal = defineSignal<[PartitionProgress]>(SIGNAL_PROGRESS);

/** One run of the workflow of a partition. Only {@link change} replaces its state. */
export type PartitionRun = {
  readonly input: PartitionInput;
  state: PartitionRunState;
  /** Work beside the lanes, which must end before the run does. */
  readonly besides: Promise<void>[];
  /** Work that is done once after all changes of the moment. */
  readonly soon: Set<(run: PartitionRun) => void>;
};

/** Applies an event, and shows its changes to people and to the batch. */
export function change(run: PartitionRun, event: PartitionEvent): void {
  const before = run.state;
  run.state = applyToPartition(before, event);
  doSoon(run, showDetails);
  // The results in histories of older workers have no such chunks.
  if (isConfirmationChanged(before, run.state)) doSoon(run, reportConfirmations);
  if (!isOperatorNeedChanged(before, run.state)) return;
  // Histories of older workers have a signal for each change.
  if (run.input.grouped === true) doSoon(run, showNeedsOperator);
  else showNeedsOperator(run);
}

/** Does work once after all changes of the moment: hundreds of chunks can come to wait for a person at a time. */
function doSoon(run: PartitionRun, work: (run: PartitionRun) => void): void {
  if (run.soon.has(work)) return;
  run.soon.add(work);
  void Promise.resolve().then(() => {
    run.soon.delete(work);
    work(run);
  });
}

/** Moves chunks of which no create is in doubt on the board. */
export const move = (run: PartitionRun, chunks: readonly number[], to: ChunkPosition): void =>
  change(run, { kind: 'moved', chunks, to, inDoubt: false, atMs: Date.now() });

export function showDetails({ input, state }: PartitionRun): void {
  const details = partitionDetails(input, {
    counts: boardCounts(state.board),
    needsOperator: chunksAt(state.board, 'needsOperator'),
    alarms: state.alarms,
    unconfirmed: state.unconfirmed,
    sending: sendingCount(state),
    group: groupCount(state),
    stopped: state.stopped,
    verifying: state.verifying,
  });
  setCurrentDetails(details);
}

export function showNeedsOperator(run: PartitionRun): void {
  const value = operatorChunks(run.state).length > 0;
  upsertSearchAttributes([{ key: KEYS.needsOperator, value }]);
  void signalBatch(run, {});
}

/** Signals whether mass payouts wait for a confirmation. */
const reportConfirmations = (run: PartitionRun): void => void signalBatch(run, {});

/** Sends nothing more, here and, once the batch has the signal, in the other partitions. */
export function halt(run: PartitionRun, reason: string): void {
  change(run, { kind: 'stopped', reason });
  void signalBatch(run, { halt: reason });
}

/** Signals a hold to the batch, once. */
export function reportHold(run: PartitionRun, hold: Hold): void {
  if (isHoldReported(run.state, hold)) return;
  change(run, { kind: 'hold-reported', hold });
  void signalBatch(run, { hold });
}

/** Signals how far the verification of the batch is, now and then. Histories of older workers have no such step. */
export function reportVerification(run: PartitionRun, progress: VerificationProgress): void {
  if (!isNewProgress(run.state.verifying, progress)) return;
  change(run, { kind: 'verifying', progress });
  void signalBatch(run, { verifying: progress });
}

/** Signals that every chunk was sent or is followed, so that the next partition can begin. */
export const reportSent = (run: PartitionRun): Promise<void> => signalBatch(run, { sent: true });

/** Whether a webhook named the chunk, or a person answered for it. Each call counts once, so this takes it. */
export function takeCall(run: PartitionRun, chunk: number): boolean {
  if (!isCalled(run.state, chunk)) return false;
  change(run, { kind: 'call-taken', chunk });
  return true;
}

/** Whether the first poll is due. It is due once, so this takes it. */
export function takeFirstPoll(run: PartitionRun): boolean {
  if (!isFirstPollDue(run.state)) return false;
  change(run, { kind: 'polled' });
  return true;
}

async function signalBatch(
  { input, state }: PartitionRun,
  more: Partial<PartitionProgress>,
): Promise<void> {
  const batch = getExternalWorkflowHandle(batchWorkflowId(input.batchId));
  const progress = partitionProgress(input, state, more);
  await CancellationScope.nonCancellable(() => batch.signal(progressSignal, progress))
    // The batch may have been terminated by hand; the sent chunks are still settled.
    .catch(() => undefined);
}
