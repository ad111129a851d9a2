import type { Decision } from '../domain/approval/statement.ts';
import type { ErrorNote } from '../domain/errors/bursar-error.ts';
import type { Hold } from '../domain/holds/hold.ts';
import type { Money } from '../domain/plan/rules.ts';
import type { BatchState } from '../domain/batch/batch-state.ts';

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
  /** Why nothing new is created for now; empty while everything goes on. */
  holds: readonly Hold[];
  /** Whether the account will hold enough, in a sentence; null: nobody has looked yet. */
  outlook: string | null;
  /** What the account lacked at the last look while it waits for funds; missing in other states, and in older workers. */
  short?: readonly Money[];
  /** What is put before approvers now; null: nothing is. */
  approval: ApprovalStatus | null;
  /** Why no worker could use its store of late. Missing while one can. */
  storeTrouble?: ErrorNote;
}>;

/** How a question to approvers stands. Instants are ISO 8601 in UTC. */
export type ApprovalStatus = Readonly<{
  /** What an approval must name. */
  subject: string;
  /** Who must still say yes, in sentences; empty: nobody. */
  missing: readonly string[];
  /** What approvers said. What has lapsed meanwhile is among it. */
  given: readonly GivenStatus[];
  /** What the store has in the name of approvers, and they did not say; missing in older workers. */
  notGenuine?: readonly GivenStatus[];
}>;

export type GivenStatus = Readonly<{
  person: string;
  decision: Decision;
  at: string;
  expiresAt: string;
}>;
