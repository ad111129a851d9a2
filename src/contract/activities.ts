import type { SweepInput, Swept } from './sweep.ts';
import type { ApprovalPolicy } from '../domain/approval/policy.ts';
import type { Approval } from '../domain/approval/statement.ts';
import type { ErrorNote } from '../domain/errors/bursar-error.ts';
import type { Hold, HoldKind } from '../domain/holds/hold.ts';
import type { FeeQuotes } from '../domain/fees/batch-fees.ts';
import type { DayExcess } from '../domain/funds/day-limit.ts';
import type { Money } from '../domain/plan/rules.ts';
import type { AftercareInput } from './aftercare.ts';
import type { BatchInput, BatchResult } from './batch.ts';
import type { Act, Resume } from './messages.ts';

/** An end that no retry changes: the merchant, an operator or a setting must act. */
export type Refused = Readonly<{ kind: 'refused'; error: ErrorNote }>;

export type CurrencyRows = Readonly<{ currency: string; rows: number; total: string }>;

export type Ingested = Readonly<{
  kind: 'ingested';
  rows: number;
  refusedRows: number;
  chunks: number;
  currencies: readonly CurrencyRows[];
}>;

/**
 * `hasAsked`: this run has planned before, and so has read the service for facts that the store may lack.
 * `partitionChunks`: chunks of one partition of the workflow; missing in workflows of older workers, which have 100.
 */
export type PlanInput = BatchInput & Readonly<{ hasAsked?: boolean; partitionChunks?: number }>;

export type Planned = Readonly<{
  kind: 'planned';
  digest: string;
  chunks: number;
  /** Whether chunks of it were sent before: by a run of this batch that was reset, or that Temporal lost. */
  begun: boolean;
  /**
   * Whether chunks of it must be verified, since the store was restored from an older copy. Missing in histories of
   * older workers.
   */
  restored?: boolean;
  /** Chunks of one partition. Missing in histories of older workers, whose partitions have 100. */
  partitionChunks?: number;
}>;

/** Fees in decimal text; null where the service has no fee operation. */
export type Quoted = Readonly<{
  kind: 'quoted';
  fees: FeeQuotes;
  /** That a cap is broken, for a person to decide. Missing in histories of workers that did not judge. */
  stopped?: FeesStopped | null;
}>;

/** The fees are within the rules; the note holds them, in a sentence. */
export type FeesWithin = Readonly<{ kind: 'within'; note: string }>;

/**
 * A person has to decide about the fees: they have risen too far since the plan (`drift`), or are above a cap. `quotes`
 * goes to `acceptFees` when the person accepts.
 */
export type FeesStopped = Readonly<{
  kind: 'drift' | 'above-cap';
  /** The facts, in sentences. */
  reason: string;
  facts: Readonly<Record<string, string>>;
  quotes: FeeQuotes;
}>;

/** A batch has its place in the queue for the balance. */
export type Claimed = Readonly<{
  kind: 'claimed';
  /** The amounts that the account will lack once all claims due by then are paid, this batch included. */
  short: readonly Money[];
  /** The missing amounts in a sentence; null: none. */
  outlook: string | null;
}>;

export type Funded = Readonly<{ kind: 'enough' }>;
/** `short`: the missing amounts by currency; absent in answers of older workers. */
export type Short = Readonly<{ kind: 'short'; error: ErrorNote; short?: readonly Money[] }>;

/**
 * There is enough, but more would be paid today than the limit of a day allows. `hold`: the batch is held for that; once people have
 * lifted it, the next `checkFunds` lets `excesses` pass. Missing in histories of older workers.
 */
export type OverDayLimit = Readonly<{
  kind: 'over-day-limit';
  error: ErrorNote;
  excesses: readonly DayExcess[];
  hold?: Hold;
}>;

/** The decisions of people about a batch so far. A run that starts over continues from them. */
export type Controls = Readonly<{
  holds: readonly Hold[];
  approvals: readonly Approval[];
  /** The approval policy of the plan. */
  policy: ApprovalPolicy | null;
  /** Who stopped it. Missing in histories of workers that did not write it down. */
  canceled?: Act | null;
}>;

export type PutHoldInput = Readonly<{
  batchId: string;
  kind: HoldKind;
  reason: string;
  by: string;
  facts: Hold['facts'];
}>;

export type ResumeInput = Resume &
  Readonly<{
    batchId: string;
    rulesToo: boolean;
    /** Why nothing more of the batch is sent; missing or null while it goes on. */
    stopped?: string | null;
    /** Whether the batch lifts a hold that the store does not have, as an older copy would not. */
    forgotten?: boolean;
  }>;

/** `not-open`: the named hold is not on, and others are. */
export type Resumed = Readonly<
  | { kind: 'resumed'; hold: Hold }
  | { kind: 'not-held' }
  | { kind: 'not-open'; open: readonly Hold[] }
  | { kind: 'needs-approval'; hold: Hold }
  | { kind: 'stopped'; stopped: string }
  /** The approval counts, and more people must sign; `missing` names them. */
  | { kind: 'recorded'; hold: Hold; missing: string }
  /** The approval does not count. */
  | { kind: 'refused'; error: ErrorNote }
>;

/** `released`: the batch may pay. */
export type Released = Readonly<{ kind: 'released' }>;
/** Approvals that the policy needs are missing, or have lapsed. */
export type NotApproved = Readonly<{ kind: 'not-approved'; missing: string }>;

export type ReportBatchInput = Readonly<{
  batchId: string;
  /** Why rows were not sent; null when all were sent. */
  unsentReason: string | null;
  /** Whether a person stopped the batch. */
  canceled: boolean;
  error: ErrorNote | null;
}>;

/** The activities that workflows call. One file per capability implements it. */
export type IngestActivities = Readonly<{
  ingestFile(input: BatchInput): Promise<Ingested | Refused>;
  planBatch(input: PlanInput): Promise<Planned | Refused>;
}>;

export type FundsActivities = Readonly<{
  /** Quotes the fees of the batch once, and compares them with the caps. */
  quoteFees(input: { batchId: string }): Promise<Quoted | Refused>;
  /** Quotes the fees again at the due time, and compares them with the fees of the plan and with the caps. */
  checkFees(input: { batchId: string }): Promise<FeesWithin | FeesStopped | Refused>;
  /** A person has let these fees pass: from then on they are what new ones are held against. */
  acceptFees(input: { batchId: string; quotes: FeeQuotes }): Promise<void>;
  /** Takes the batch's place in the queue for the balance before its time has come. Decides nothing. */
  claimFunds(input: { batchId: string }): Promise<Claimed | Refused>;
  /** Decides whether the batch may pay now; once it may, its money is kept for it. */
  checkFunds(input: { batchId: string }): Promise<Funded | Short | OverDayLimit | Refused>;
}>;

export type ControlActivities = Readonly<{
  readControls(input: { batchId: string }): Promise<Controls>;
  /**
   * Puts a pause on. For a rule it puts on the hold of the store, or returns the hold that is on. The text of the input
   * has no effect.
   */
  putHold(input: PutHoldInput): Promise<Hold>;
  /**
   * Lifts the named hold, else a pause first. It lifts the hold of a rule only with `rulesToo`, and where no policy
   * asks for approval.
   */
  resumeBatch(input: ResumeInput): Promise<Resumed>;
  /** Takes a hold of a fee rule or of the limit of a day off, if that rule allows the payment now. `by` and `reason` count for nothing. */
  releaseHold(input: { batchId: string; n: number; by: string; reason: string }): Promise<void>;
  /** Takes a hold off for the people who approved that, as the store has their approvals. */
  releaseApprovedHold(input: { batchId: string; n: number }): Promise<Released | NotApproved>;
  /** Writes the cancel of a person to the store. */
  noteCancel(input: { batchId: string; by: string; reason: string }): Promise<void>;
  /** Allows a batch to pay, once everything that must hold before does. */
  releaseBatch(input: { batchId: string }): Promise<Released | NotApproved | Refused>;
}>;

export type SettleActivities = Readonly<{ sweepChunks(input: SweepInput): Promise<Swept> }>;

export type ReportActivities = Readonly<{
  reportBatch(input: ReportBatchInput): Promise<BatchResult>;
}>;

export type ConfirmInput = Readonly<{
  batchId: string;
  /** Only the rows of these chunks; all of the batch when missing. */
  chunks?: readonly number[];
}>;

/** Every row was read again and is provably unpaid; a batch of a file has none to read. */
export type Unpaid = Readonly<{ kind: 'unpaid'; rows: number }>;

export type FollowInput = Readonly<{
  batchId: string;
  /** Chunks that webhooks named; null: every end that people can change. */
  chunks: readonly number[] | null;
  /** Goes on after this chunk; null: from the first. */
  after: number | null;
}>;

/** The result of a recheck. */
export type Followed = Readonly<{
  /** Ends that can still change. */
  following: number;
  /** Rows that have another outcome now. */
  changedRows: number;
  /** Chunks that could not be read this time. */
  unread: number;
  /** Rows that more than one batch has paid, or may have. */
  paidTwice: number;
  /** Where to go on; null: all chunks were read. */
  next: number | null;
  /** Version of the newest report. */
  version: number;
  /** How long to wait for the first recheck after a change, and until when to follow; milliseconds. */
  firstMs: number;
  untilMs: number;
}>;

/** Another read of the rows of a resend, just before it is sent. */
export type ConfirmActivities = Readonly<{
  confirmUnpaid(input: ConfirmInput): Promise<Unpaid | Refused>;
}>;

/** Batches that are over. */
export type AftercareActivities = Readonly<{
  followEnds(input: FollowInput): Promise<Followed>;
  /** The batches of a lineage whose ends are followed, and how long to wait for the first recheck. */
  endsToFollow(input: { batchId: string }): Promise<readonly AftercareInput[]>;
}>;
