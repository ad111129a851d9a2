import type { ErrorNote } from '../domain/errors/bursar-error.ts';
import type { OperatorReason } from '../domain/sending/decide.ts';
import type { AftercareInput } from './aftercare.ts';
import type { BatchInput, BatchResult } from './batch.ts';
import type { Resolve } from './messages.ts';

/** An end that no retry mends: the merchant, an operator or a setting has to. */
export type Refused = Readonly<{ kind: 'refused'; error: ErrorNote }>;

export type CurrencyTotal = Readonly<{ currency: string; rows: number; total: string }>;

export type Ingested = Readonly<{
  kind: 'ingested';
  rows: number;
  refusedRows: number;
  chunks: number;
  currencies: readonly CurrencyTotal[];
}>;

export type Planned = Readonly<{
  kind: 'planned';
  digest: string;
  chunks: number;
  /** Whether chunks of it were sent before: by a run of this batch that was reset or forgotten. */
  begun: boolean;
}>;

/** Fees in decimal text; null where the service has no fee operation. */
export type Quoted = Readonly<{
  kind: 'quoted';
  fees: readonly Readonly<{ currency: string; fee: string; estimated: boolean }>[] | null;
}>;

export type Funded = Readonly<{ kind: 'enough' }>;
export type Short = Readonly<{ kind: 'short'; error: ErrorNote }>;

export type SendChunkInput = Readonly<{
  batchId: string;
  chunk: number;
  digest: string;
  /** Whether to find out, after the create, that the service can be asked by key. */
  proveLookup: boolean;
  /** Whether the batch was stopped: what is in doubt is cleared up, nothing new leaves. Null: it was not. */
  stopped: string | null;
  /** Whether the batch saw it created: a store that knows of no mass payout is an older copy. */
  wasCreated: boolean;
}>;

/** Where the sending of a chunk stands after one activity. */
export type SendStep = Readonly<
  | { kind: 'created' }
  /** `inDoubt`: a create may have arrived; nothing but time, a webhook or the service's answer settles it. */
  | { kind: 'waiting'; delayMs: number; why: string; inDoubt: boolean }
  | { kind: 'needs-operator'; reason: OperatorReason }
  /** `halt`: no other chunk will fare better (a wrong key, for one). */
  | { kind: 'rejected'; reason: string; halt: boolean }
  | { kind: 'abandoned' }
  /** The chunk was closed before it was sent. */
  | { kind: 'closed' }
>;

export type SweepInput = Readonly<{ batchId: string; chunks: readonly number[] }>;

/** What a sweep learnt. Chunks that could not be read stand in neither list of changes. */
export type Swept = Readonly<{
  /** Chunks that are at their end now. */
  settled: readonly number[];
  /** Chunks that are not at their end, but nearer: another state, or withdrawals that were looked up. */
  moved: readonly number[];
  /** Chunks that could not be read this time. */
  unread: readonly number[];
  /**
   * Chunks that have no mass payout, which only the send activity can mend: a store that was restored from an older copy
   * does not know what was sent, or the mass payout proved to be another one.
   */
  unsent: readonly number[];
  /**
   * Chunks that somebody should look at, and that are followed all the same: they cannot be read, or are not at their end
   * for too long. Missing in histories of workers that did not tell.
   */
  needsOperator?: readonly number[];
}>;

export type ReportInput = Readonly<{
  batchId: string;
  /** Why what was not sent was not; null when everything was. */
  unsentReason: string | null;
  /** Whether a person stopped the batch. */
  canceled: boolean;
  error: ErrorNote | null;
}>;

/** What the workflows ask of the world. One file per capability implements it. */
export type IngestActivities = Readonly<{
  ingestFile(input: BatchInput): Promise<Ingested | Refused>;
  planBatch(input: BatchInput): Promise<Planned | Refused>;
}>;

export type FundsActivities = Readonly<{
  quoteFees(input: { batchId: string }): Promise<Quoted | Refused>;
  checkFunds(input: { batchId: string }): Promise<Funded | Short | Refused>;
}>;

export type SendActivities = Readonly<{
  sendChunk(input: SendChunkInput): Promise<SendStep>;
  answerChunk(input: { batchId: string; answer: Resolve }): Promise<void>;
}>;

export type SettleActivities = Readonly<{ sweepChunks(input: SweepInput): Promise<Swept> }>;

export type ReportActivities = Readonly<{
  reportBatch(input: ReportInput): Promise<BatchResult>;
}>;

export type ConfirmInput = Readonly<{
  batchId: string;
  /** Only the rows of these chunks; all of the batch when missing. */
  chunks?: readonly number[];
}>;

/** Every row was read once more and is provably unpaid; a batch of a file has none to read. */
export type Unpaid = Readonly<{ kind: 'unpaid'; rows: number }>;

export type FollowInput = Readonly<{
  batchId: string;
  /** Chunks that webhooks named; null: every end that people can change. */
  chunks: readonly number[] | null;
  /** Goes on after this chunk; null: from the first. */
  after: number | null;
}>;

/** What a look at ends that people can change has told. */
export type Followed = Readonly<{
  /** Ends that can still change. */
  following: number;
  /** Rows that have another outcome now. */
  changedRows: number;
  /** Chunks that could not be read this time. */
  unread: number;
  /** Rows that more than one batch has paid, or may have. */
  paidTwice: number;
  /** Where to go on; null: everything was looked at. */
  next: number | null;
  /** Version of the newest report. */
  version: number;
  /** How long to wait for the first look after a change, and until when to follow; milliseconds. */
  firstMs: number;
  untilMs: number;
}>;

/** A resend that is about to be sent: its rows once more. */
export type ConfirmActivities = Readonly<{
  confirmUnpaid(input: ConfirmInput): Promise<Unpaid | Refused>;
  /** The same for the chunks of a resend that were not sent yet: they are closed when that fails. Answers why, or null. */
  confirmRest(input: { batchId: string }): Promise<ErrorNote | null>;
}>;

/** Batches that are over. */
export type AftercareActivities = Readonly<{
  followEnds(input: FollowInput): Promise<Followed>;
  /** The batches of a lineage that have ends to follow, and how long to wait for the first look. */
  endsToFollow(input: { batchId: string }): Promise<readonly AftercareInput[]>;
}>;
