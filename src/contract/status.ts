import type { ApprovalDecision } from '../domain/approval/statement.ts';
import type { ErrorNote } from '../domain/errors/bursar-error.ts';
import type { Hold } from '../domain/holds/hold.ts';
import type { Money } from '../domain/plan/rules.ts';
import type { VerificationProgress } from '../domain/restore/progress.ts';
import type { BatchState } from '../domain/batch/batch-state.ts';

/** Answer of a batch to the query `status`. Chunks and rows are counted from the store. */
export type BatchStatus = Readonly<{
  state: BatchState;
  /** When it entered the state, ISO 8601 in UTC. */
  since: string;
  /** Its present activity, in one sentence. */
  note: string;
  partitions: Readonly<{ total: number; started: number; sent: number; settled: number }>;
  /**
   * Chunks in NEEDS_OPERATOR, and open ones that a person should check. Of the open ones a partition reports the first
   * that it finds; the store has all.
   */
  needsOperator: readonly number[];
  /** Whether mass payouts wait until a person confirms them at the service; missing: none, or older workers. */
  isUnconfirmed?: true;
  /** Set once a person canceled. */
  canceledBy: string | null;
  /** Why nothing new is created for now; empty while everything goes on. */
  holds: readonly Hold[];
  /** Whether the account will hold enough, in a sentence; null before the first read. */
  outlook: string | null;
  /** The missing amounts of the last read while it waits for funds; absent in other states, and in older workers. */
  short?: readonly Money[];
  /** Until when it waits for a top-up, ISO 8601 in UTC; absent in other states, and in older workers. */
  fundsUntil?: string;
  /** The question before approvers now; null: there is none. */
  approval: ApprovalStatus | null;
  /** How far the batch is, while its chunks must be verified in a restored store. The store has the present figure. */
  verifying?: VerificationProgress;
  /** Why no worker could use its store of late. Missing while one can. */
  storeTrouble?: ErrorNote;
}>;

/** How a question to approvers stands. Instants are ISO 8601 in UTC. */
export type ApprovalStatus = Readonly<{
  /** The subject that an approval must name. */
  subject: string;
  /** Who must still approve, in sentences; empty: no person. */
  missing: readonly string[];
  /** The answers of approvers, lapsed ones included. */
  given: readonly GivenStatus[];
  /** Approvals in the store that their person did not sign; absent in older workers. */
  notGenuine?: readonly GivenStatus[];
}>;

export type GivenStatus = Readonly<{
  person: string;
  decision: ApprovalDecision;
  at: string;
  expiresAt: string;
}>;
