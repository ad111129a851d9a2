import type { Refreshed } from '../../contract/aftercare.ts';
import type { BatchInput, BatchResult } from '../../contract/batch.ts';
import type { Act, ApproveInput, Resolve, Resume } from '../../contract/messages.ts';
import type { BatchStatus } from '../../contract/status.ts';
import type { BatchState } from '../../domain/batch/batch-state.ts';
import type { ErrorNote } from '../../domain/errors/bursar-error.ts';
import type { StoreRef } from '../../domain/store/identity.ts';
import type { About, Started } from './link.ts';
import type { RecoveryEngine } from './recovery.ts';
import type { ScheduleEngine } from './schedules.ts';
import type { WorkerSeen } from './worker-seen.ts';

/** The facts of a batch's workflow that Temporal has without a worker. */
export type Execution = Readonly<{
  /** Temporal's status: RUNNING, COMPLETED, FAILED, TERMINATED ... */
  status: string;
  /** The file that the batch was started with. */
  fileSha256: string | undefined;
  /** The only plan that it may carry out; missing: the plan that a worker makes. */
  planDigest?: string;
  /** The parent of a resend, and its generation. */
  resend?: Readonly<{ parentBatchId: string; generation: number }>;
  /** The state that the workflow showed last. */
  state: BatchState | undefined;
  /** How often in a row a worker failed or gave up the task that comes next; missing: never. */
  failedTasks?: number;
  /** The queue of the workers that carry it out. */
  taskQueue?: string;
  /** The store that the batch was started with; undefined for batches that older programs started. */
  store?: StoreRef | undefined;
}>;

/** A running batch in the list of Temporal: its last shown state, and its task queue. */
export type RunningBatch = Readonly<{ state: BatchState | undefined; taskQueue: string }>;

/** A batch, and the chunks of one of its partitions as its plan has them. */
export type PartitionedBatch = Readonly<{ batchId: string; partitionChunks: number | null }>;

/**
 * Temporal, as operations use it. Every call has a deadline, and throws TEMPORAL_UNREACHABLE when Temporal does not
 * answer. Calls that need a worker state it.
 */
export type Engine = Readonly<{
  /** Starts a batch, unless its id was ever used. */
  start(input: BatchInput, about: About): Promise<Started>;
  describe(batchId: string): Promise<Execution | undefined>;
  /** The status that the workflow returns; undefined when no worker answers. */
  status(batchId: string): Promise<BatchStatus | undefined>;
  /** The result of a workflow that has completed. */
  result(batchId: string): Promise<BatchResult>;
  /** Waits until the workflow closes, the signal aborts, or Temporal no longer answers. Never throws. */
  untilClosed(batchId: string, signal: AbortSignal): Promise<void>;
  /** The batches of the namespace that run now, also those of other task queues. */
  running(): Promise<ReadonlyMap<string, RunningBatch>>;
  /** Cancels a batch. Returns its refusal, or null. Throws WORKER_SILENT. */
  cancel(batchId: string, act: Act): Promise<ErrorNote | null>;
  /** Pauses a batch. Returns its refusal, or null. Throws WORKER_SILENT. */
  pause(batchId: string, act: Act): Promise<ErrorNote | null>;
  /** Lifts a hold of a batch. Returns its refusal, or null. Throws WORKER_SILENT. */
  resume(batchId: string, act: Resume): Promise<ErrorNote | null>;
  /** Sends the answer of an operator about a chunk. Returns the refusal, or null. Throws WORKER_SILENT. */
  resolve(batch: PartitionedBatch, answer: Resolve): Promise<ErrorNote | null>;
  /** Sends the decision of an approver to a batch. Returns why it does not count, or null. Throws WORKER_SILENT. */
  approve(batchId: string, input: ApproveInput): Promise<ErrorNote | null>;
  schedules: ScheduleEngine;
  recovery: RecoveryEngine;
  /**
   * Rechecks an ended batch at once. Returns the refusal, if it was refused, and undefined when the recheck takes
   * longer than a command waits. Throws WORKER_SILENT.
   */
  refresh(batchId: string): Promise<Refreshed | ErrorNote | undefined>;
  /** Whether a worker polled the task queue a short time ago. */
  hasWorker(): Promise<boolean>;
  /** Whether a worker of a task queue answers now, and when one was seen last. Takes some seconds when none does. */
  worker(taskQueue: string): Promise<WorkerSeen>;
  /** Signals a batch that a hold or a cancel was written to the store. Needs no worker: the next one takes the signal. */
  controlsWritten(batchId: string): Promise<void>;
  /** The store that the workers of the task queue use; undefined while no worker has written it down. */
  served(): Promise<StoreRef | undefined>;
  /**
   * Ids of the stores of workers that polled the task queue a short time ago. A worker that was just killed is among
   * them for a minute.
   */
  storesAtWork(): Promise<readonly string[]>;
  /** Makes this store the one that the workers of the task queue must use. */
  serve(store: StoreRef): Promise<void>;
  close(): Promise<void>;
}>;

/** Whether Temporal shows a batch as REJECTED. A batch gets that state only if it certainly sent nothing. */
export const hasPaidNothing = ({ status, state }: Execution): boolean =>
  status === 'COMPLETED' && (state === undefined || state === 'REJECTED');
