import type { ApprovalGap } from '../../domain/approval/gaps.ts';
import type { HoldKind } from '../../domain/holds/hold.ts';
import type { CurrencyTotal } from '../../domain/money/currency-total.ts';
import type { Engine } from '../engine/engine.ts';
import type { Store } from '../../store/index.ts';
import type { Settings } from '../../config.ts';

/** The sources of an operation on batches. Temporal is called only for facts that the store does not have. */
export type Sources = Readonly<{
  settings: Settings;
  store: Store;
  /** Throws TEMPORAL_UNREACHABLE. */
  engine(): Promise<Engine>;
}>;

/** Why a batch of the inbox is held: as in its `Hold`. */
export type InboxHold = Readonly<{ kind: HoldKind; reason: string; by: string }>;

/** The step that a person must take. */
export type InboxNeed = Readonly<{
  /**
   * APPROVAL and HOLD wait for a decision, OPERATOR for an answer about a chunk, FUNDS for a top-up, CONFIRMATION for a
   * person at the service. RUN: a run never began, and a person submits it now. LOST: a person recovers the batch.
   */
  kind: 'APPROVAL' | 'HOLD' | 'OPERATOR' | 'FUNDS' | 'CONFIRMATION' | 'RUN' | 'LOST';
  /** The names of those who can do it; empty: any operator. */
  waitsFor: readonly string[];
  /** The missing steps, in sentences. */
  missing: readonly string[];
  /** The missing approvals among them, as counts and names. */
  gaps: readonly ApprovalGap[];
  /** The hold of a HOLD. */
  hold?: InboxHold;
  /** The command of the step. */
  command: string;
}>;

/** A batch or a run that waits for a person. Instants are ISO 8601 in UTC. */
export type InboxItem = InboxNeed &
  Readonly<{
    /** The id of the batch. A run that has none yet has the id that its batch would get. */
    batchId: string;
    /** The schedule of a run, and the run's nominal time. */
    scheduleId?: string;
    run?: string;
    since: string | null;
    /** When the batch is to pay; null: at once. */
    due: string | null;
    /** When the wait ends by itself: of FUNDS, the end of the time for a top-up. */
    until?: string;
    submittedBy: string;
    totals: readonly CurrencyTotal[];
  }>;
