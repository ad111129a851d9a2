import {
  WorkflowExecutionAlreadyStartedError,
  type WorkflowIdReusePolicy,
} from '@temporalio/common';
import {
  ActivityFailure,
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  isCancellation,
  log,
  sleep,
  startChild,
} from '@temporalio/workflow';
import type { Planned, Refused } from '../contract/activities.ts';
import type { BatchInput, BatchResult } from '../contract/batch.ts';
import { PARTITION_CHUNKS_MAX, partitionWorkflowId } from '../contract/names.ts';
import type { PartitionInput } from '../contract/partition.ts';
import { type ErrorNote, noteOf } from '../domain/errors/bursar-error.ts';
import {
  checkFunds,
  ingestFile,
  planBatch,
  quoteFees,
  reportBatch,
  sweepChunks,
} from './activities.ts';
import { type BatchDesk, openBatchDesk, showDueTime, showResult, showRows } from './batch-desk.ts';
import { payoutPartition } from './payout-partition.ts';

/** How often the balance is read while a batch waits for a top-up: often at first, and never more often than this many times. */
const FUNDS_POLLS_MAX = 500;

/** How long a partition that was ended by force waits before it is started again, in milliseconds. */
const PARTITION_RESTART_MS = 10_000;

/**
 * One batch, from its file to its report. It waits and calls; what follows from what is decided in the domain. A batch
 * always ends with a report, whether it was refused, canceled or paid.
 */
export async function payoutBatch(input: BatchInput): Promise<BatchResult> {
  const desk = openBatchDesk(input);
  return CancellationScope.nonCancellable(async () => {
    const error = await untilEnd(desk, input);
    desk.enter('REPORTING', 'writes the report');
    const unsentReason = desk.stopReason() ?? error?.what ?? null;
    const canceled = desk.isCanceled() && error === null;
    const { batchId } = input;
    const result = await reportBatch({ batchId, unsentReason, canceled, error });
    showResult(result);
    desk.enter(result.state, 'the report is written');
    await condition(allHandlersFinished);
    return result;
  });
}

/** Runs the stages up to the report; answers why the batch ended before its money moved, or null. */
async function untilEnd(desk: BatchDesk, input: BatchInput): Promise<ErrorNote | null> {
  try {
    const plan = await prepare(desk, input);
    if (plan.kind === 'refused') return plan.error;
    // What was begun must be settled, whatever the time, the balance or anybody says now.
    if (!plan.begun) {
      await waitForDueTime(desk, input);
      if (desk.stopReason() !== null) return null;
      const short = await waitForFunds(desk, input);
      if (short !== null || desk.stopReason() !== null) return short;
    }
    await pay(desk, input, plan);
    return null;
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    log.error('a stage of the batch failed', { cause: error.cause?.message });
    return noteOfFailure(error);
  }
}

async function prepare(desk: BatchDesk, input: BatchInput): Promise<Planned | Refused> {
  const ingested = await ingestFile(input);
  if (ingested.kind === 'refused') return ingested;
  const { rows, refusedRows, currencies } = ingested;
  const totals = currencies.map(({ total, currency }) => `${total} ${currency}`).join(', ');
  desk.showFigures({ rows, refusedRows, totals });
  showRows(
    rows,
    currencies.map(({ currency }) => currency),
  );
  const plan = await planBatch(input);
  if (plan.kind === 'refused') return plan;
  desk.enter('PLANNED', 'the plan is made');
  desk.showFigures({ chunks: plan.chunks, digest: plan.digest });
  const quoted = await unlessStopped(desk, () => quoteFees({ batchId: input.batchId }));
  if (quoted === undefined) return plan;
  if (quoted.kind === 'refused') return quoted;
  const fees = quoted.fees?.map(({ fee, currency }) => `${fee} ${currency}`).join(', ');
  desk.showFigures({ fees: fees ?? 'not available' });
  return plan;
}

async function waitForDueTime(desk: BatchDesk, { options }: BatchInput): Promise<void> {
  const { at } = options;
  if (at === null || desk.stopReason() !== null) return;
  desk.enter('SCHEDULED', `waits until ${at}`);
  showDueTime(at);
  const delayMs = Date.parse(at) - Date.now();
  if (delayMs <= 0) return;
  await condition(() => desk.stopReason() !== null, delayMs, { summary: `due at ${at}` });
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
async function unlessStopped<Result>(
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

/** Starts partition after partition: the next one when the one before has nothing more to send. They settle side by side. */
async function pay(desk: BatchDesk, input: BatchInput, plan: Planned): Promise<void> {
  desk.enter('PAYING', 'creates mass payouts');
  const total = Math.ceil(plan.chunks / PARTITION_CHUNKS_MAX);
  desk.planPartitions(total);
  const ends: Promise<void>[] = [];
  const goesOn = (): boolean => plan.begun || desk.stopReason() === null;
  for (let partition = 0; partition < total && goesOn(); partition += 1) {
    ends.push(runPartition(desk, partitionInput(input, plan, partition)));
    await condition(() => desk.hasSent(partition) || (!plan.begun && desk.stopReason() !== null));
  }
  desk.enter('SETTLING', 'follows the mass payouts to their ends');
  await Promise.all(ends);
  await untilWrittenDown(desk, input, { plan, partitions: ends.length });
}

/** Partitions whose chunks are asked for by one activity. */
const PARTITIONS_PER_SWEEP = 10;

/**
 * Runs partitions again that have chunks which are not at their end. A store that was brought back from an older copy while
 * others were still at work, or failures that people sent again in the service's own interface, would otherwise have the
 * report call rows unpaid that were paid.
 */
async function untilWrittenDown(
  desk: BatchDesk,
  input: BatchInput,
  { plan, partitions }: { plan: Planned; partitions: number },
): Promise<void> {
  for (let first = 0; first < partitions; first += PARTITIONS_PER_SWEEP) {
    const count = Math.min(PARTITIONS_PER_SWEEP, partitions - first);
    const inputs = Array.from({ length: count }, (_, i) => partitionInput(input, plan, first + i));
    const chunks = inputs.flatMap(chunksOf);
    const swept = await sweepChunks({ batchId: input.batchId, chunks });
    const settled = new Set(swept.settled);
    for (const partition of inputs) {
      const open = chunksOf(partition).filter((chunk) => !settled.has(chunk));
      if (open.length > 0) await runPartitionAgain(desk, partition, open);
    }
  }
}

const chunksOf = ({ firstChunk, chunkCount }: PartitionInput): number[] =>
  Array.from({ length: chunkCount }, (_, i) => firstChunk + i);

/** Runs a partition that completed once more, for what the store has forgotten of it, and for ends that were taken back. */
const runPartitionAgain = (
  desk: BatchDesk,
  input: PartitionInput,
  open: readonly number[],
): Promise<void> => {
  const settled = input.chunkCount - open.length;
  const stopped = desk.stopReason();
  const resume = { pending: [], open, settled, notSent: 0, forgotten: [], stopped };
  return runPartition(desk, { ...input, resume }, 'ALLOW_DUPLICATE');
};

const partitionInput = (input: BatchInput, plan: Planned, partition: number): PartitionInput => {
  const firstChunk = partition * PARTITION_CHUNKS_MAX;
  return {
    batchId: input.batchId,
    digest: plan.digest,
    partition,
    firstChunk,
    chunkCount: Math.min(PARTITION_CHUNKS_MAX, plan.chunks - firstChunk),
    canary: partition === 0,
    options: {
      chunksInFlight: input.options.chunksInFlight,
      pollMinMs: input.options.pollMinMs,
      pollMaxMs: input.options.pollMaxMs,
    },
  };
};

/**
 * Runs a partition to its end. One that was terminated by hand or failed is started again: what it had sent is written
 * down in the store, so the new one only goes on. One that completed never runs twice.
 */
async function runPartition(
  desk: BatchDesk,
  input: PartitionInput,
  workflowIdReusePolicy: WorkflowIdReusePolicy = 'ALLOW_DUPLICATE_FAILED_ONLY',
): Promise<void> {
  for (;;) {
    try {
      const child = await startChild(payoutPartition, {
        workflowId: partitionWorkflowId(input.batchId, input.partition),
        args: [input],
        workflowIdReusePolicy,
        parentClosePolicy: 'ABANDON',
        staticSummary: `chunks ${input.firstChunk} to ${input.firstChunk + input.chunkCount - 1}`,
      });
      desk.place(input.partition, 'started');
      await child.result();
      desk.place(input.partition, 'settled');
      return;
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) {
        if (await isSettledElsewhere(desk, input)) return;
        continue;
      }
      log.error('a partition was ended by force and is started again', {
        partition: input.partition,
        cause: error instanceof Error ? error.message : String(error),
      });
      await sleep(PARTITION_RESTART_MS, { summary: `restart partition ${input.partition}` });
    }
  }
}

/**
 * A batch that was reset finds its partitions at work, or done, from before. It can stop them, and looks now and then at
 * what they have written down; one that ended by force meanwhile can then be started again.
 */
async function isSettledElsewhere(desk: BatchDesk, input: PartitionInput): Promise<boolean> {
  const { batchId, options, partition } = input;
  desk.place(partition, 'started');
  const chunks = chunksOf(input);
  const { settled } = await sweepChunks({ batchId, chunks });
  if (settled.length === chunks.length) {
    desk.place(partition, 'settled');
    return true;
  }
  await sleep(options.pollMaxMs, { summary: 'another run of this batch drives the partition' });
  return false;
}

/** The sentences that an activity's failure carries; a failure without them is a mistake of ours. */
function noteOfFailure(failure: ActivityFailure): ErrorNote {
  const { cause } = failure;
  const [note] = cause instanceof ApplicationFailure ? (cause.details ?? []) : [];
  return isNote(note) ? note : noteOf('INTERNAL', { message: cause?.message ?? failure.message });
}

const isNote = (value: unknown): value is ErrorNote =>
  typeof value === 'object' && value !== null && 'code' in value && 'fix' in value;
