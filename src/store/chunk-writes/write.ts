import type { RecordFacts } from '../../domain/audit/facts.ts';
import type { Risk } from '../../domain/holds/stop-loss.ts';
import type { PayGround } from '../control/authority.ts';
import type { Schema } from '../database/schema.ts';
import type { StoredRestore } from '../restore/restores.ts';
import type { ChunkAt } from '../settlement/withdrawal-lookups.ts';

/** What the store has of one chunk. */
export type StoredChunk = Readonly<{
  row: Schema['chunk'];
  /** In order. */
  attempts: readonly Schema['attempt'][];
  /** How many lookups of its key there are. */
  lookups: number;
  /** The hash of its intent; undefined: it has none. */
  intentSha256: string | undefined;
  /** The outcomes of single rows, by row number; only where a write of the group needs them. */
  rowOutcomes: readonly Schema['row_outcome'][];
}>;

/** Everything from which a write about a chunk is decided. */
export type ChunkFacts = StoredChunk &
  Readonly<{
    /** The restore that concerns its batch; undefined: the store lacks no send of it. */
    restore: StoredRestore | undefined;
    /** Whether the report of its batch is written. */
    isEnded: boolean;
    /** What decides whether its batch may pay. Only for a write that begins an attempt. */
    ground(): PayGround;
    /** The stop loss of its batch; only for a write that begins a first attempt. */
    stopLoss: readonly string[];
    /** The risk under the stop loss, without this chunk. */
    risk(): Risk;
    /** Other chunks that a mass payout stands for, in words. Only for the mass payout of the write. */
    otherOwners(massPayoutId: string): string[];
  }>;

/** What a write changes. Columns that are missing stay. */
export type ChunkChanges = Readonly<{
  row?: Partial<Schema['chunk']>;
  /** A new attempt, or one with its end. */
  attempt?: Schema['attempt'];
  intent?: Schema['intent'];
  lookup?: Schema['lookup'];
  /** They replace all of the chunk. */
  rowOutcomes?: readonly Schema['row_outcome'][];
  /** Whether the lookups of its withdrawals are removed. */
  forgetsWithdrawals?: boolean;
}>;

/** The decision of a write. `detail`, `facts`: parts of its audit entry that the columns of the chunk do not show. */
export type Decision<Result> = Readonly<{
  result: Result;
  changes?: ChunkChanges;
  detail?: Readonly<Record<string, unknown>>;
  facts?: Readonly<Record<string, RecordFacts>>;
}>;

/** The facts that a write needs beside those of its chunk. */
export type Needs = Readonly<{
  /** It begins an attempt; `first`: the first of its chunk. */
  begins?: Readonly<{ first: boolean }>;
  countsLookups?: boolean;
  rowOutcomes?: boolean;
  /** A mass payout whose owners are read. */
  massPayoutId?: string | undefined;
}>;

/** A write about one chunk: a pure decision, and its name in the audit log. */
export type ChunkWrite<Result> = Readonly<{
  at: ChunkAt;
  action: string;
  /** Missing: the engine. */
  actor?: string;
  needs?: Needs;
  decide(facts: ChunkFacts): Decision<Result>;
}>;

/** Runs a write about a chunk. The result is durable when it is returned. */
export type WriteChunk = <Result>(write: ChunkWrite<Result>) => Promise<Result>;
