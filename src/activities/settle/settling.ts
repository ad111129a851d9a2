import type { Swept } from '../../contract/sweep.ts';
import type { BatchOptions } from '../../contract/batch.ts';
import type { SendPolicy } from '../../domain/sending/decide.ts';
import type { ClockReading } from '../../domain/sending/send-record.ts';
import type { BatchFacts } from '../../store/batches/batches.ts';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import type { ChunkAt } from '../../store/settlement/withdrawal-lookups.ts';
import type { Store } from '../../store/index.ts';
import type { BalanceGuard } from '../funds/balance.ts';
import type { DistrustDeps } from '../service/distrust.ts';
import type { Service } from '../service/service.ts';

/** What settling needs. */
export type SettleDeps = Readonly<{
  store: Store;
  service: Service;
  nowMs(): number;
  fence: Pick<SendPolicy, 'timestampWindowMs' | 'fenceMarginMs' | 'resend'>;
  /** A clock that never jumps; `nowMs` may. */
  readClock(): ClockReading;
  /** Waits between two tries of a read. */
  pause(delayMs: number): Promise<void>;
  /** Holds a batch when more left its account than was ordered; by default no balance is read. */
  guardBalance?: BalanceGuard;
  /** Receives the chunks that a sweep has found at their ends; by default no report is written before the end. */
  early?: Readonly<{ follow(batchId: string, chunks: readonly number[]): void }> | undefined;
}> &
  Pick<DistrustDeps, 'notify'>;

/** A chunk with its batch, as the store had them when a read began. */
export type ChunkOfBatch = Readonly<{ at: ChunkAt; batch: BatchFacts; chunk: ChunkRecord }>;

/** One chunk in a sweep. */
export type SweptChunk = ChunkOfBatch &
  Readonly<{
    options: BatchOptions;
    /** How many of its withdrawals this sweep may look up. */
    lookupsMax: number;
    /** When the sweep begins no further chunk. */
    untilMs: number;
  }>;

/** The results of a sweep for a chunk. */
export type Change = Exclude<
  keyof Swept,
  'needsOperator' | 'unconfirmed' | 'hold' | 'webhooksDown'
>;
