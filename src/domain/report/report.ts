import type { ApprovalPolicy } from '../approval/policy.ts';
import type { Proof } from '../approval/check-approval.ts';
import type { Approval } from '../approval/statement.ts';
import type { BatchState, EndState } from '../batch/batch-state.ts';
import type { ErrorNote } from '../errors/bursar-error.ts';
import type { BalanceCheck } from '../funds/balance-check.ts';
import type { Hold, PastHold } from '../holds/hold.ts';
import type { FeeQuotes } from '../fees/batch-fees.ts';
import type { Finding, Severity } from '../plan/finding.ts';
import type { ReportedChange } from '../lineage/change.ts';
import type { RowNumber } from '../rows/row.ts';
import type { VerificationProgress } from '../restore/progress.ts';
import type { Outcome, ShownOutcome } from '../settling/outcome.ts';
import type { Totals } from './totals.ts';

/** The decision that a person must make, for one chunk in NEEDS_OPERATOR. Instants are ISO 8601 in UTC. */
export type OperatorCase = Readonly<{
  chunk: number;
  reason: string;
  since: string;
  idempotencyKey: string;
  externalId: string;
  rows: number;
  currency: string;
  total: string;
  /**
   * Where the store may lack sends of the batch: since when, and until when a submitted batch counts among those, under
   * any id.
   */
  forgotten?: Readonly<{ since: string; until: string }>;
  attempts: readonly Readonly<{
    n: number;
    signedAt: string;
    outcome: string;
    httpStatus?: number;
    errorCode?: string;
    traceId?: string;
  }>[];
}>;

/** Followed mass payouts that a person should check in the service; the same reason and state together. */
export type AlarmCase = Readonly<{
  reason: string;
  /** The state that they were last seen in. */
  state: string;
  /** Since when the first of them is so, ISO 8601 in UTC. */
  since: string;
  chunks: readonly number[];
}>;

/** A row that more than one batch of its lineage has paid, or may have; or that is in two mass payouts of one batch. */
export type DoublePayment = Readonly<{
  row: RowNumber;
  /** Whether two have paid it for certain; else at least one of them has no certain outcome yet, or ever. */
  isCertain: boolean;
  /** The batches that have paid it, or may have. */
  batches: readonly Readonly<{ batchId: string; outcome: Outcome }>[];
  /** The mass payouts that the service has for the row's one chunk; missing where several batches are meant. */
  massPayouts?: readonly string[];
}>;

/** The figures of a batch in its view, and in its report. */
export type ReportFigures = Totals &
  Readonly<{
    batchId: string;
    workflowId: string;
    digest: string | null;
    chunks: Readonly<{ total: number; byState: Readonly<Record<string, number>> }>;
    needsOperator: readonly OperatorCase[];
    /** Why the batch ended early, when it did. */
    error: ErrorNote | null;
    /** Counts resends: 0 for a batch of a file. */
    generation: number;
    parentBatchId: string | null;
    /** The resend of what failed in it, once there is one. */
    childBatchId: string | null;
    paidTwice: readonly DoublePayment[];
  }>;

/** The view of a batch, without the parts that only an open batch has. */
export type EndedBatchView = ReportFigures &
  Readonly<{
    schema: 'bursar.batch/v1';
    state: BatchState;
    /** The result of the account's balances; missing before the end. */
    balance?: BalanceCheck;
  }>;

/** The one object that `submit --wait`, `status` and `report` print with `-o json`. */
export type BatchView = EndedBatchView &
  Readonly<{
    /** The folder of its report on this machine. Where reports are in a bucket, it may hold none, or an older one. */
    reportDir: string;
    /** The address of its newest report: a folder (`file:`) or a prefix in a bucket (`s3:`); null: it has no report. */
    reportUrl: string | null;
    alarms: readonly AlarmCase[];
    /** Why nothing new is created for now. */
    holds: readonly Hold[];
    /** Set while chunks must be verified, since an older copy took the place of the store. Nothing of them is sent before. */
    verifying?: VerificationProgress;
  }>;

/** The question to the approvers, and their answers. */
export type ReportApprovals = Readonly<{
  /** The approvals that the policy of the plan needs, in sentences. */
  policy: readonly string[];
  /** null: no approval was needed. */
  mode: ApprovalPolicy['mode'] | null;
  /** With the public key, a reader of the report can verify each signature; the text is that of `statementText`. */
  given: readonly (Approval &
    Readonly<{ publicKey: string | null; proof: Proof; takenAt: string }>)[];
}>;

/** A finding, how serious it was by the rules of the plan, and whether the submitter had seen and accepted it. */
export type ReportedFinding = Finding & Readonly<{ severity: Severity; accepted: boolean }>;

/** The number of this report of a batch, and its changes since the one before. */
export type Revision = Readonly<{
  /** 1 for the report at the end of the batch. */
  version: number;
  previousVersion: number | null;
  /** The time of its latest change, ISO 8601 in UTC. */
  changedAt: string | null;
  /** The totals as the version before had them; null in the first. */
  before: Totals | null;
  changedRows: number;
  /** The first of the rows whose outcome changed, in order. */
  changes: readonly ReportedChange[];
  /** Resends that rows of this batch went into: they left resend.csv. */
  resent: readonly Readonly<{ batchId: string; rows: number }>[];
  /** Resends that ended before they had a plan: the rows are in resend.csv again. */
  returned: readonly Readonly<{ batchId: string; rows: number }>[];
}>;

/** An entry of the audit log. A log that has another one under this number, or none, was changed or cut off. */
export type AuditMark = Readonly<{
  /** Its number in the log. It grows over all batches. */
  entries: number;
  /** Its hash, which stands for all earlier entries of its chain. */
  hash: string;
}>;

/** `report.json`: the truth about a batch that ended. */
export type BatchReport = ReportFigures &
  Readonly<{
    schema: 'bursar.report/v1';
    state: EndState;
    file: Readonly<{ name: string; sha256: string }>;
    account: string;
    /** Instants, ISO 8601 in UTC; null where the batch never came that far. */
    submittedAt: string;
    submittedBy: string;
    endedAt: string;
    revision: Revision;
    findings: readonly ReportedFinding[];
    accepted: readonly string[];
    approvals: ReportApprovals;
    /** The newest entry of the audit log about the batch when the report was written; null: there is none. */
    audit: AuditMark | null;
    /** What kept the batch from paying for a while, the oldest first, and who let it go on. */
    holds: readonly PastHold[];
    refusedRows: number;
    balance: BalanceCheck;
    /** "available" or why not: whether fees, and single withdrawals, could be read from the service. */
    fees: string;
    withdrawals: string;
    /** The fee quotes from before the payment; the fees by mass payouts are in `amounts`. null: no quote was made. */
    feeQuotes: Readonly<{
      /** With the plan. */
      planned: FeeQuotes;
      /** The last ones, at the due time. */
      final: FeeQuotes;
      /** Those that a person let pass though a rule had stopped the batch; missing when none had to. */
      accepted?: FeeQuotes;
    }> | null;
    massPayouts: readonly Readonly<{
      chunk: number;
      massPayoutId: string | null;
      idempotencyKey: string;
      state: string;
      currency: string;
      rows: number;
      total: string;
      fee: string | null;
    }>[];
  }>;

/** `report.json` as it is written, with the files beside it. SHA-256 as lowercase hex. */
export type WrittenReport = BatchReport &
  Readonly<{ files: readonly Readonly<{ name: string; sha256: string }>[] }>;

/** One row of the report, in the order of the file. */
export type ReportRow = RowWithOutcome<Outcome>;

/** One row of a file and its outcome. A field without a value is an empty text. */
export type RowWithOutcome<Ended extends ShownOutcome> = Readonly<{
  row: RowNumber;
  address: string;
  amount: string;
  currency: string;
  comment: string;
  reference: string;
  /** Of the payee, as the file has it. */
  name: string;
  outcome: Ended;
  reason: string;
  /** null for a refused row, which is in no chunk. */
  chunk: number | null;
  massPayoutId: string;
  idempotencyKey: string;
  withdrawalId: string;
  transactionHash: string;
  fee: string;
  feeCurrency: string;
  /** Whether the row was refused when the file was read; it cannot be sent again as it stands. */
  refused: boolean;
  /** Counts as unpaid, but "bursar reconcile" found a transaction of the wallet that pays it. */
  seenPaid?: true;
  /** The newest resend that holds the row: it is not to be sent again from here. */
  resentAs?: string;
}>;
