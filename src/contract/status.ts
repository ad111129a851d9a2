import type { BatchState } from '../domain/batch/batch-state.ts';
import type { Hold } from '../domain/holds/hold.ts';

/** Answer of a batch to the query `status`. Chunks and rows are counted from the store. */
export type BatchStatus = Readonly<{
  state: BatchState;
  /** When it entered the state, ISO 8601 in UTC. */
  since: string;
  /** What it waits for or does, in one sentence. */
  note: string;
  partitions: Readonly<{ total: number; started: number; sent: number; settled: number }>;
  /**
   * Chunks in NEEDS_OPERATOR, and open ones that somebody should look at; of the latter a partition tells the first that it
   * sees. The store knows all.
   */
  needsOperator: readonly number[];
  /** Set once somebody asked to cancel. */
  canceledBy: string | null;
  /** What waits for approvers, and who decided so far; null when nothing does. Missing in answers of older workers. */
  approval?: ApprovalStatus | null;
  /** Why nothing is created for now; null when nothing keeps it. Missing in answers of older workers. */
  hold?: Hold | null;
}>;

/** How the question to the approvers stands. Instants are ISO 8601 in UTC. */
export type ApprovalStatus = Readonly<{
  /** What is approved: the digest of the plan, or of the plan and what it is held for. */
  subject: string;
  /** What is missing, in sentences such as "1 more of finance: bob, carol". */
  missing: readonly string[];
  given: readonly Readonly<{
    person: string;
    decision: 'approve' | 'refuse';
    at: string;
    expiresAt: string;
  }>[];
}>;
