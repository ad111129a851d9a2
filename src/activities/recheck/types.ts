import type { Service } from '../service/service.ts';
import type { DistrustDeps } from '../service/distrust.ts';
import type { Store } from '../../store/index.ts';
import type { ChunkOfBatch } from '../settle/settling.ts';
import type { ProvesUnpaid } from '../../domain/lineage/row-proof.ts';
import type { ReportedChange } from '../../domain/lineage/change.ts';
import type { BatchOptions } from '../../contract/batch.ts';

/** The dependencies of rechecks. */
export type RecheckDeps = Readonly<{
  store: Store;
  service: Service;
  nowMs(): number;
  /** Waits between two tries of a read. */
  pause(delayMs: number): Promise<void>;
}> &
  Pick<DistrustDeps, 'notify'>;

/** A chunk of an ended batch, as the store had it when the recheck began. */
export type FinishedChunk = ChunkOfBatch & Readonly<{ options: BatchOptions }>;

/**
 * The result of a recheck of a chunk, which is stored. `unanswered`: there is no result this time. `hidden`: the
 * service answers, and does not show the mass payout.
 */
export type RecheckResult = Readonly<
  | { kind: 'read'; changes: readonly ReportedChange[]; proves: ProvesUnpaid }
  | { kind: 'unanswered' | 'hidden' }
>;
