import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  setWorkflowOptions,
  workflowInfo,
} from '@temporalio/workflow';
import type { SendStep } from '../../contract/sending.ts';
import type { PartitionInput, PartitionResult } from '../../contract/partition.ts';
import { boardCounts, chunksAt, isBoardDone } from '../../domain/batch/partition-board.ts';
import { partitionSnapshot } from '../state/partition-report.ts';
import { isUnsent } from '../state/partition-state.ts';
import { lanes } from './lanes.ts';
import { beginPartition } from './partition-handlers.ts';
import { change, type PartitionRun, reportSent } from './partition-run.ts';
import { type ChunkStep, follow, goOnUntilInDoubt, sendUntilInDoubt } from './send-chunk.ts';
import { isGrouped, sendInGroups } from './send-groups.ts';
import { settleAll } from './sweeps.ts';

/**
 * Drives the chunks of one partition: sends each, and follows each to its end. A webhook only names chunks to read; polling finds
 * what no webhook names. Work goes on to its end whatever is canceled: what was sent must be settled.
 */
export async function payoutPartition(input: PartitionInput): Promise<PartitionResult> {
  return CancellationScope.nonCancellable(async () => {
    const run = beginPartition(input);
    await Promise.all([sendAll(run), settleAll(run)]);
    await Promise.all(run.besides);
    await condition(allHandlersFinished);
    if (!isBoardDone(run.state.board)) {
      await continueAsNew<typeof payoutPartition>({
        ...input,
        resume: partitionSnapshot(run.state),
      });
    }
    const { settled, notSent } = boardCounts(run.state.board);
    return { settled, notSent };
  });
}

/**
 * Where workers have versions, a partition ends on the version that it began on. A batch goes to the current version. Temporal refuses
 * this wish of a worker without a version.
 */
setWorkflowOptions(() => {
  const { deploymentName = '' } = workflowInfo().currentDeploymentVersion ?? {};
  return deploymentName === '' ? {} : { versioningBehavior: 'PINNED' };
}, payoutPartition);

/** The step of a chunk that waits for a person since an earlier run of the partition. */
const ASKED_BEFORE: SendStep = { kind: 'needs-operator', lookAgainMs: 60_000 };

/** Sends every pending chunk, a bounded number side by side; the canary alone and before all others. */
async function sendAll(run: PartitionRun): Promise<void> {
  const { options, ...input } = run.input;
  const pending = chunksAt(run.state.board, 'pending');
  const inDoubt: Promise<void>[] = [];
  // An ambiguous chunk needs minutes; it must not keep a lane from sound chunks.
  const leave = (chunk: number, step: SendStep | undefined): void => {
    if (step !== undefined) inDoubt.push(follow(run, { chunk, step }));
  };
  for (const chunk of chunksAt(run.state.board, 'needsOperator')) leave(chunk, ASKED_BEFORE);
  const begin = async (chunk: number): Promise<void> => {
    if (run.state.isLeaving) return;
    leave(chunk, await sendUntilInDoubt(run, chunk));
  };
  const goOn = async (from: ChunkStep): Promise<void> =>
    leave(from.chunk, await goOnUntilInDoubt(run, from));
  const canary = input.canary && pending[0] === input.firstChunk ? pending[0] : undefined;
  if (canary !== undefined) {
    await begin(canary);
    await condition(() => !isUnsent(run.state, canary) || run.state.isLeaving);
  }
  const others = pending.filter((chunk) => chunk !== canary);
  await (isGrouped(input, others)
    ? sendInGroups(run, others, { begin, goOn })
    : lanes(options.chunksInFlight, others, begin));
  if (!run.state.isLeaving) await reportSent(run);
  await Promise.all(inDoubt);
  const wasVerifying = run.state.verifying !== null;
  change(run, { kind: 'all-sent' });
  // An ambiguous chunk can be verified after all others were sent.
  if (wasVerifying && !run.state.isLeaving) await reportSent(run);
}
