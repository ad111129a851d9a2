import type { BoardCounts, BoardSnapshot } from '../domain/batch/partition-board.ts';
import type { VerificationProgress } from '../domain/restore/progress.ts';
import type { Hold } from '../domain/holds/hold.ts';
import type { PartitionPace } from './batch.ts';
import type { OfStore } from './store.ts';

/** Where a run of a partition stopped. `unconfirmed`: chunks that wait for a confirmation; missing without any. */
export type PartitionSnapshot = BoardSnapshot & Readonly<{ unconfirmed?: readonly number[] }>;

/** Starts a partition: a run of chunks, by number. */
export type PartitionInput = OfStore &
  Readonly<{
    batchId: string;
    digest: string;
    partition: number;
    firstChunk: number;
    chunkCount: number;
    /** Whether one activity sends many chunks. Missing in inputs of older workers. */
    grouped?: boolean;
    /** Whether the first chunk must be created and verified before any other is sent. */
    canary: boolean;
    options: PartitionPace;
    /** Set when a partition goes on in a new run. */
    resume?: PartitionSnapshot;
  }>;

/** The message of a partition to its batch while it works; `halt` stops all sends of the batch. */
export type PartitionProgress = Readonly<{
  partition: number;
  /** Whether it has nothing more to send. */
  sent: boolean;
  halt: string | null;
  /** The first hundred. */
  needsOperator: readonly number[];
  /** How many mass payouts wait until a person confirms them at the service; missing from older workers. */
  unconfirmed?: number;
  /** A hold that a rule put on, when one was met. */
  hold?: Hold;
  /** How far the batch was when a chunk of the partition waited for its verification. */
  verifying?: VerificationProgress;
}>;

/** How a partition ended: every chunk of it is settled, or was not sent. */
export type PartitionResult = Readonly<{ settled: number; notSent: number }>;

/** Answer of a partition to the query `status`. */
export type PartitionStatus = Readonly<{
  chunks: BoardCounts;
  needsOperator: readonly number[];
  stopped: string | null;
}>;
