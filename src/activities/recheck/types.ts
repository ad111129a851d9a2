import type { Service } from '../service/service.ts';
import type { DistrustDeps } from '../service/distrust.ts';
import type { Store } from '../../store/index.ts';
import type { ChunkAt } from '../../store/settlement/withdrawal-lookups.ts';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import type { BatchFacts } from '../../store/batches/batches.ts';
import type { ProvesUnpaid } from '../../domain/lineage/row-proof.ts';
import type { ReportedChange } from '../../domain/lineage/change.ts';
import type { BatchOptions } from '../../contract/batch.ts';

/** What looking at batches that are over needs. */
export type LateDeps = Readonly<{
  store: Pick<
    Store,
    | 'batches'
    | 'chunks'
    | 'staging'
    | 'sends'
    | 'settlements'
    | 'proofs'
    | 'late'
    | 'lineage'
    | 'restores'
    | 'holds'
    | 'audit'
  >;
  service: Service;
  nowMs(): number;
  /** Waits between two tries of a read. */
  pause(delayMs: number): Promise<void>;
}> &
  Pick<DistrustDeps, 'tell'>;

/** A chunk of a batch that is over, as the store had it when the look began. */
export type Past = Readonly<{
  at: ChunkAt;
  batch: BatchFacts;
  options: BatchOptions;
  chunk: ChunkRecord;
}>;

/**
 * What one more look at a chunk of a batch that is over has told, and is written down. `unanswered`: nothing can be said this
 * time. `hidden`: the service answers, and does not show what is asked for.
 */
export type LateLook = Readonly<
  | { kind: 'told'; changes: readonly ReportedChange[]; proves: ProvesUnpaid }
  | { kind: 'unanswered' | 'hidden' }
>;
