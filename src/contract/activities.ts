import type { ApprovalPolicy } from '../domain/approval/policy.ts';
import type { Approval } from '../domain/approval/statement.ts';
import type { ErrorNote } from '../domain/errors/bursar-error.ts';
import type { Hold, HoldKind } from '../domain/holds/hold.ts';
import type { FeeQuotes } from '../domain/fees/batch-fees.ts';
import type { DayExcess } from '../domain/funds/day-limit.ts';
import type { Money } from '../domain/plan/rules.ts';
import type { OperatorReason } from '../domain/sending/decide.ts';
import type { AftercareInput } from './aftercare.ts';
import type { BatchInput, BatchResult } from './batch.ts';
import type { Act, Resolve, Resume, SignedActResult } from './messages.ts';

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

/** `hasAsked`: this run has planned before, and so asked the service for what the store may not know. */
export type PlanInput = BatchInput & Readonly<{ hasAsked?: boolean }>;

export type Planned = Readonly<{
  kind: 'planned';
  digest: string;
  chunks: number;
  /** Whether chunks of it were sent before: by a run of this batch that was reset, or that Temporal lost. */
  begun: boolean;
  /**
   * Whether chunks of it have to be verified, since the store was restored from an older copy. Missing in histories of older
   * workers.
   */
  restored?: boolean;
}>;

/** Fees in decimal text; null where the service has no fee operation. */
export type Quoted = Readonly<{
  kind: 'quoted';
  fees: FeeQuotes;
  /** That a cap is broken, for a person to decide. Missing in histories of workers that did not judge. */
  stopped?: FeesStopped | null;
}>;

/** Fees are within the rules; the note says what they are, in a sentence. */
export type FeesWithin = Readonly<{ kind: 'within'; note: string }>;

/**
 * A fee rule says that a person has to decide: the fees have risen too far since the plan (`drift`), or are above a cap.
 * When the person lets them pass, `quotes` are what `acceptFees` is given.
 */
export type FeesStopped = Readonly<{
  kind: 'drift' | 'above-cap';
  /** What is so, in sentences. */
  reason: string;
  facts: Readonly<Record<string, string>>;
  quotes: FeeQuotes;
}>;

/** A batch has its place in the order of asking. */
export type Claimed = Readonly<{
  kind: 'claimed';
  /** What the account will lack when everybody is paid who is due by then, this batch included. */
  short: readonly Money[];
  /** The same in a sentence; null: nothing. */
  outlook: string | null;
}>;

export type Funded = Readonly<{ kind: 'enough' }>;
/** `short`: what the account lacks, by currency; missing in answers of older workers. */
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
  /** Without a reason: a person was asked before, and has not answered. */
  /** `lookAgainMs`: when the question may have passed by itself. Missing in histories of workers that did not tell. */
  | { kind: 'needs-operator'; reason?: OperatorReason; lookAgainMs?: number }
  /** The batch may create nothing now. */
  | { kind: 'held'; hold: Hold }
  /** Another chunk, the first of its currency, must be paid before. */
  | { kind: 'behind'; chunk: number }
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
  /** Set when failures have put a stop to the batch. */
  hold?: Hold;
  /** Set while webhooks are known not to come, so that nothing but polls tells. */
  webhooksDown?: boolean;
}>;

/** What of a batch was decided by people so far; a run that starts over goes on from it. */
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
}> &
  Pick<Hold, 'facts'>;

export type ResumeInput = Resume &
  Readonly<{
    batchId: string;
    rulesToo: boolean;
    /** Why nothing more of the batch is sent; missing or null while it goes on. */
    stopped?: string | null;
    /** Whether the batch lets go of what it waits for though the store does not know that, as an older copy would not. */
    forgotten?: boolean;
  }>;

/** `not-open`: the hold that was asked for is not on, and others are. */
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
/** Approvals that the policy asks for are missing, or have lapsed. */
export type NotApproved = Readonly<{ kind: 'not-approved'; missing: string }>;

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
  planBatch(input: PlanInput): Promise<Planned | Refused>;
}>;

export type FundsActivities = Readonly<{
  /** Asks what the batch will cost, once, and holds that against the caps. */
  quoteFees(input: { batchId: string }): Promise<Quoted | Refused>;
  /** Asks again at the due time, and holds the answer against the fees of the plan and against the caps. */
  checkFees(input: { batchId: string }): Promise<FeesWithin | FeesStopped | Refused>;
  /** A person has let these fees pass: from then on they are what new ones are held against. */
  acceptFees(input: { batchId: string; quotes: FeeQuotes }): Promise<void>;
  /** Takes the batch's place in the order of asking, before its time has come; decides nothing. */
  claimFunds(input: { batchId: string }): Promise<Claimed | Refused>;
  /** Decides whether the batch may pay now; once it may, its money is kept for it. */
  checkFunds(input: { batchId: string }): Promise<Funded | Short | OverDayLimit | Refused>;
}>;

export type ControlActivities = Readonly<{
  readControls(input: { batchId: string }): Promise<Controls>;
  /** Puts a pause on. For a rule it puts on what the store says, or returns the hold that is on; the words of the input count for nothing. */
  putHold(input: PutHoldInput): Promise<Hold>;
  /** Takes off the hold that is named, else a pause first; what a rule put on only with `rulesToo`, and where no policy asks for approval. */
  resumeBatch(input: ResumeInput): Promise<Resumed>;
  /** Takes a hold of a fee rule or of the limit of a day off, if that rule allows the payment now. `by` and `reason` count for nothing. */
  releaseHold(input: { batchId: string; n: number; by: string; reason: string }): Promise<void>;
  /** Takes a hold off for the people who approved that, as the store has their approvals. */
  releaseApprovedHold(input: { batchId: string; n: number }): Promise<Released | NotApproved>;
  /** Writes down that somebody stopped the batch. */
  noteCancel(input: { batchId: string; by: string; reason: string }): Promise<void>;
  /** Allows a batch to pay, once everything that must hold before does. */
  releaseBatch(input: { batchId: string }): Promise<Released | NotApproved | Refused>;
}>;

export type SendActivities = Readonly<{
  sendChunk(input: SendChunkInput): Promise<SendStep>;
  /** Takes the answer of a person for a chunk. Where a policy asks, it counts once enough people signed it. */
  answerChunk(input: { batchId: string; answer: Resolve }): Promise<SignedActResult | Refused>;
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
}>;

/** Batches that are over. */
export type AftercareActivities = Readonly<{
  followEnds(input: FollowInput): Promise<Followed>;
  /** The batches of a lineage that have ends to follow, and how long to wait for the first look. */
  endsToFollow(input: { batchId: string }): Promise<readonly AftercareInput[]>;
}>;
