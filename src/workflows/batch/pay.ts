import {
  WorkflowExecutionAlreadyStartedError,
  type WorkflowIdReusePolicy,
} from '@temporalio/common';
import {
  condition,
  getExternalWorkflowHandle,
  log,
  patched,
  sleep,
  startChild,
} from '@temporalio/workflow';
import type { Planned } from '../../contract/activities.ts';
import type { BatchInput } from '../../contract/batch.ts';
import { partitionWorkflowId, WORKFLOW_STEP_MS_MAX } from '../../contract/names.ts';
import type { PartitionInput } from '../../contract/partition.ts';
import { SIGNAL_CHECK_STORE } from '../../contract/store.ts';
import { freshSnapshot } from '../../domain/batch/partition-board.ts';
import { OLD_PARTITION_CHUNKS, sharesOf } from '../../domain/batch/partitions.ts';
import { partitionPriority } from '../../domain/batch/task-priority.ts';
import { planBatch, sweepChunks } from '../shared/activities.ts';
import { hasSent } from '../state/batch-state.ts';
import { type BatchRun, change, enter, movePartition, stopReason } from './batch-run.ts';
import { payoutPartition } from '../partition/payout-partition.ts';

/** How long a partition that was ended by force waits before it is started again, in milliseconds; each time twice as long. */
const PARTITION_RESTART_MS_MIN = 10_000;
const PARTITION_RESTART_MS_MAX = 600_000;

/**
 * Runs all partitions. The first one sends alone, with the canary. After it several send side by side, each with its share of
 * the chunks in flight, so that several workers send one batch. All settle side by side.
 */
export async function pay(run: BatchRun, plan: Planned): Promise<void> {
  const { input } = run;
  enter(run, 'PAYING', 'sending the payments');
  const total = partitionCount(plan);
  change(run, { kind: 'partitions-planned', total });
  const ends: Promise<void>[] = [];
  // A partition settles its sent chunks, also after the batch was stopped.
  const isSettled = plan.begun || plan.restored === true;
  const goesOn = (): boolean => isSettled || stopReason(run) === null;
  const send = async (partition: number, chunksInFlight: number): Promise<void> => {
    const part = partitionInput(input, plan, partition);
    const options = { ...part.options, chunksInFlight };
    ends.push(runPartition(run, { ...part, options }));
    await condition(() => hasSent(run.state, partition) || !goesOn());
  };
  const isSplit = total > 1 && patched('side-by-side');
  const shares = isSplit ? sharesOf(input.options.chunksInFlight) : [];
  let next = 0;
  const sendNext = async (chunksInFlight: number, end: number): Promise<void> => {
    while (next < end && goesOn()) {
      next += 1;
      await send(next - 1, chunksInFlight);
    }
  };
  await sendNext(input.options.chunksInFlight, shares.length === 0 ? total : 1);
  await Promise.all(shares.map((share) => sendNext(share, total)));
  enter(run, 'SETTLING', 'results of sent payments are missing');
  await Promise.all(ends);
  const stopped = stopReason(run);
  const first = ends.length;
  const unverified = stopped === null || first === total ? null : await planToVerify(input, plan);
  if (unverified === null || stopped === null) {
    return untilWrittenDown(run, { plan, partitions: first });
  }
  await verifyPartitions(run, { plan: unverified, stopped, first });
  await untilWrittenDown(run, { plan: unverified, partitions: total });
}

/**
 * The plan, if chunks of the batch have to be verified; null otherwise. The plan is made again, since the store may have been
 * restored since.
 */
export async function planToVerify(input: BatchInput, plan: Planned): Promise<Planned | null> {
  if (plan.restored === true) return plan;
  const now = await planBatch({ ...input, hasAsked: true, ...sizeOf(plan) });
  if (now.kind !== 'planned' || now.restored !== true) return null;
  // The partitions of this batch keep their size.
  const { partitionChunks: _, ...verified } = now;
  return { ...verified, ...sizeOf(plan) };
}

const sizeOf = ({ partitionChunks }: Planned) =>
  partitionChunks === undefined ? {} : { partitionChunks };

const partitionCount = ({ chunks, partitionChunks = OLD_PARTITION_CHUNKS }: Planned): number =>
  Math.ceil(chunks / partitionChunks);

/**
 * Verifies the chunks of a batch that will send nothing more, and settles the sent ones. Else the report would
 * call rows unpaid that were paid.
 */
export async function settleUnverified(
  run: BatchRun,
  { plan, stopped }: Readonly<{ plan: Planned; stopped: string }>,
): Promise<void> {
  enter(run, 'CHECKING_FUNDS', 'sending nothing more');
  enter(run, 'PAYING', 'looking for what was sent before the store was restored');
  const total = partitionCount(plan);
  change(run, { kind: 'partitions-planned', total });
  await verifyPartitions(run, { plan, stopped, first: 0 });
  enter(run, 'SETTLING', 'results of sent payments are missing');
  await untilWrittenDown(run, { plan, partitions: total });
}

/** Runs partitions that may send nothing, from the first one named: each verifies its chunks, one after the other. */
async function verifyPartitions(
  run: BatchRun,
  { plan, stopped, first }: Readonly<{ plan: Planned; stopped: string; first: number }>,
): Promise<void> {
  const total = partitionCount(plan);
  for (let partition = first; partition < total; partition += 1) {
    const part = partitionInput(run.input, plan, partition);
    const board = freshSnapshot(part.firstChunk, part.chunkCount);
    await runPartition(run, { ...part, resume: { ...board, stopped } });
  }
}

/** Chunks that one activity reads. */
const CHUNKS_PER_SWEEP = 1_000;

/**
 * Runs partitions again that have chunks which are not at their end: the store was restored while others were still at work, or
 * people sent failures again in the service's own interface. Else the report would call rows unpaid that were paid.
 */
async function untilWrittenDown(
  run: BatchRun,
  { plan, partitions }: { plan: Planned; partitions: number },
): Promise<void> {
  const { partitionChunks = OLD_PARTITION_CHUNKS } = plan;
  const step = Math.max(1, Math.floor(CHUNKS_PER_SWEEP / partitionChunks));
  for (let first = 0; first < partitions; first += step) {
    const count = Math.min(step, partitions - first);
    const inputs = Array.from({ length: count }, (_, i) =>
      partitionInput(run.input, plan, first + i),
    );
    const settled = await settledOf(run.input.batchId, inputs.flatMap(chunksOf));
    for (const partition of inputs) {
      const open = chunksOf(partition).filter((chunk) => !settled.has(chunk));
      if (open.length > 0) await runPartitionAgain(run, partition, open);
    }
  }
}

/** Those of the chunks that are at their end. */
async function settledOf(batchId: string, chunks: readonly number[]): Promise<ReadonlySet<number>> {
  const settled = new Set<number>();
  for (let from = 0; from < chunks.length; from += CHUNKS_PER_SWEEP) {
    const page = chunks.slice(from, from + CHUNKS_PER_SWEEP);
    const swept = await sweepChunks({ batchId, chunks: page });
    for (const chunk of swept.settled) settled.add(chunk);
  }
  return settled;
}

const chunksOf = ({ firstChunk, chunkCount }: PartitionInput): number[] =>
  Array.from({ length: chunkCount }, (_, i) => firstChunk + i);

/** Runs a completed partition again, for ends that the store lacks, and for ends that were taken back. */
const runPartitionAgain = (
  run: BatchRun,
  input: PartitionInput,
  open: readonly number[],
): Promise<void> => {
  const settled = input.chunkCount - open.length;
  const stopped = stopReason(run);
  const resume = { pending: [], open, settled, notSent: 0, forgotten: [], stopped };
  return runPartition(run, { ...input, resume }, 'ALLOW_DUPLICATE');
};

const partitionInput = (input: BatchInput, plan: Planned, partition: number): PartitionInput => {
  const { partitionChunks = OLD_PARTITION_CHUNKS } = plan;
  const firstChunk = partition * partitionChunks;
  return {
    batchId: input.batchId,
    digest: plan.digest,
    partition,
    firstChunk,
    chunkCount: Math.min(partitionChunks, plan.chunks - firstChunk),
    ...(plan.partitionChunks === undefined ? {} : { grouped: true }),
    canary: partition === 0,
    ...(input.store === undefined ? {} : { store: input.store }),
    options: {
      chunksInFlight: input.options.chunksInFlight,
      pollMinMs: input.options.pollMinMs,
      pollMaxMs: input.options.pollMaxMs,
    },
  };
};

/**
 * Runs a partition to its end. One that was terminated by hand or failed is started again: the store has what it sent, so the
 * new one only goes on. One that completed runs again only if the store lacks some of its ends.
 */
async function runPartition(
  run: BatchRun,
  input: PartitionInput,
  reusePolicy: WorkflowIdReusePolicy = 'ALLOW_DUPLICATE_FAILED_ONLY',
): Promise<void> {
  let workflowIdReusePolicy = reusePolicy;
  let isWoken = false;
  for (let delayMs = PARTITION_RESTART_MS_MIN; ; ) {
    try {
      const child = await startChild(payoutPartition, {
        workflowId: partitionWorkflowId(input.batchId, input.partition),
        args: [input],
        workflowIdReusePolicy,
        parentClosePolicy: 'ABANDON',
        workflowTaskTimeout: WORKFLOW_STEP_MS_MAX,
        priority: partitionPriority(input),
        staticSummary: `chunks ${input.firstChunk} to ${input.firstChunk + input.chunkCount - 1}`,
      });
      movePartition(run, input.partition, 'started');
      await child.result();
      movePartition(run, input.partition, 'settled');
      return;
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) {
        if (!isWoken) wakePartition(input);
        isWoken = true;
        if (await isSettledElsewhere(run, input)) return;
        // A restored store may lack the ends that a former run of the partition recorded.
        workflowIdReusePolicy = 'ALLOW_DUPLICATE';
        continue;
      }
      log.error('a partition was ended by force and is started again', {
        partition: input.partition,
        cause: error instanceof Error ? error.message : String(error),
      });
      await sleep(delayMs, { summary: `restart partition ${input.partition}` });
      delayMs = Math.min(delayMs * 2, PARTITION_RESTART_MS_MAX);
    }
  }
}

/** A partition that waits for the store has nothing to wait for any more: the batch has just read it. */
function wakePartition({ batchId, partition, store }: PartitionInput): void {
  // Histories of older workflows have no such signal.
  if (store === undefined) return;
  const handle = getExternalWorkflowHandle(partitionWorkflowId(batchId, partition));
  void handle
    .signal(SIGNAL_CHECK_STORE, {})
    // One that has ended waits for nothing.
    .catch(() => undefined);
}

/**
 * A batch that was reset finds its partitions at work, or done, from before. It can stop them, and reads their records
 * from time to time. A partition that ended meanwhile, and left chunks open, can then be started again.
 */
async function isSettledElsewhere(run: BatchRun, input: PartitionInput): Promise<boolean> {
  const { batchId, options, partition } = input;
  movePartition(run, partition, 'started');
  const chunks = chunksOf(input);
  const { settled, unsent } = await sweepChunks({ batchId, chunks });
  if (settled.length === chunks.length) {
    movePartition(run, partition, 'settled');
    return true;
  }
  // The other run signaled to a run of the batch that is gone that all was sent. The next partition must not wait for its ends.
  if (unsent.length === 0) movePartition(run, partition, 'sent');
  await sleep(options.pollMaxMs, { summary: 'another run of this batch drives the partition' });
  return false;
}
