import type { Engine } from '../engine/engine.ts';
import type { Store } from '../../store/index.ts';
import type { Settings } from '../../config.ts';

/** Where a command learns about batches. Temporal is only asked when the store does not tell. */
export type Sources = Readonly<{
  settings: Settings;
  store: Store;
  /** Throws TEMPORAL_UNREACHABLE. */
  engine(): Promise<Engine>;
}>;

/** Something that waits for a person. Instants are ISO 8601 in UTC. */
export type InboxItem = Readonly<{
  /**
   * APPROVAL and HOLD wait for a decision, OPERATOR for an answer about a chunk, FUNDS for a top-up, CONFIRMATION for
   * people at the service, RUN for somebody to make up for a run that never began, LOST for somebody to recover it.
   */
  kind: 'APPROVAL' | 'HOLD' | 'OPERATOR' | 'FUNDS' | 'CONFIRMATION' | 'RUN' | 'LOST';
  /** Of a run: the batch that it would be. */
  batchId: string;
  /** The schedule of a run, and what the run is for. */
  scheduleId?: string;
  run?: string;
  /** Who can do it, by name; empty: whoever operates Bursar. */
  waitsFor: readonly string[];
  /** What is missing, in sentences. */
  missing: readonly string[];
  since: string | null;
  /** When the batch is to pay; null: at once. */
  due: string | null;
  submittedBy: string;
  totals: readonly Readonly<{ currency: string; total: string }>[];
  /** What to do about it. */
  command: string;
}>;
