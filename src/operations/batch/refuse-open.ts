import type { Sources } from './types.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { readSnapshot } from './standing.ts';

/** Refuses a batch that has not ended, in the state that `status` shows. Throws BATCH_OPEN, TEMPORAL_UNREACHABLE. */
export async function refuseOpen(sources: Sources, record: BatchRecord): Promise<void> {
  if (record.endState !== null) return;
  const { batchId } = record;
  const { state } = (await readSnapshot(sources, batchId)).view;
  throw new BursarError('BATCH_OPEN', { batchId, state });
}
