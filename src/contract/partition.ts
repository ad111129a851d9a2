import type { BatchOptions } from './batch.ts';

/** Starts a partition: a run of chunks, by number. */
export type PartitionInput = Readonly<{
  batchId: string;
  digest: string;
  partition: number;
  firstChunk: number;
  chunkCount: number;
  /** Whether the first chunk must be created and verified before any other is sent. */
  canary: boolean;
  options: Pick<BatchOptions, 'chunksInFlight' | 'pollMinMs' | 'pollMaxMs'>;
  /** Set when a partition goes on in a new run: what is left to settle. */
  resume?: Readonly<{ open: readonly number[]; settled: number }>;
}>;

/** What a partition tells its batch while it works. */
export type PartitionProgress = Readonly<{
  partition: number;
  /** `canary`: the first chunk stands; `sent`: nothing more to send; `halt`: stop sending everywhere. */
  event: 'canary' | 'sent' | 'halt' | 'moved';
  created: number;
  settled: number;
  needsOperator: readonly number[];
  /** With `halt`: why. */
  reason?: string;
}>;

/** How a partition ended: every chunk of it is settled, or was not sent. */
export type PartitionResult = Readonly<{ created: number; settled: number; notSent: number }>;

/** Answer of a partition to the query `status`. */
export type PartitionStatus = Readonly<{
  /** Chunks by what the partition does with them. */
  chunks: Readonly<Record<'waiting' | 'sending' | 'open' | 'settled' | 'needsOperator', number>>;
  needsOperator: readonly number[];
  stopped: string | null;
}>;
