import { BursarError } from '../../domain/errors/bursar-error.ts';
import { digestOf, type PlanFacts } from '../../domain/plan/digest.ts';
import type { BatchFacts } from '../../store/batches/batches.ts';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import { plannedFacts } from '../../store/batches/plan-facts.ts';
import type { StagedRows } from '../../store/rows/staging.ts';
import type { Store } from '../../store/index.ts';

/** Batches whose chunks are kept in mind. */
const KEPT_MAX = 10;

type SealedChunk = PlanFacts['chunks'][number];
/** The chunks that a digest names; null: the store has other chunks. */
type Sealed = ReadonlyMap<number, SealedChunk> | null;

export type PlanSeal = ReturnType<typeof createPlanSeal>;

/**
 * Checks whether a chunk is still the one of its plan, to the last row. People approved a digest, and rows that were
 * changed in the store since are not paid. A plan is put together from the store once; later chunks are compared with
 * it.
 */
export function createPlanSeal(store: Store) {
  const kept = new Map<string, Sealed>();

  const sealedOf = async (facts: BatchFacts): Promise<Sealed> => {
    const { releasedAtMs: _, ...planned } = facts;
    const made = JSON.stringify(planned);
    const known = kept.get(made);
    if (known !== undefined) return known;
    const sealed = await chunksOf(store, facts);
    kept.set(made, sealed);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    return sealed;
  };

  return {
    /** `rows`: the staged text that is sent. Another read of it could differ. */
    async isWhole(facts: BatchFacts, chunk: ChunkRecord, rows: StagedRows): Promise<boolean> {
      // Every plan names its rules; the digest of a plan without them cannot be made again.
      if (facts.rules === null) return false;
      const planned = (await sealedOf(facts))?.get(chunk.chunk);
      return (
        planned !== undefined &&
        planned.currency === chunk.currency &&
        planned.total === chunk.total &&
        planned.idempotencyKey === chunk.idempotencyKey &&
        planned.rowsSha256 === rows.sha256
      );
    },
  };
}

async function chunksOf(
  { batches, staging }: Store,
  { batchId, ingestId, digest }: BatchFacts,
): Promise<Sealed> {
  const batch = await batches.find(batchId);
  if (batch === undefined) throw new BursarError('BATCH_NOT_FOUND', { batchId });
  const facts = plannedFacts(batch, await staging.heads(ingestId));
  if (facts === undefined) throw new BursarError('BATCH_NOT_FOUND', { batchId });
  return digestOf(facts) === digest ? new Map(facts.chunks.map((one) => [one.chunk, one])) : null;
}
