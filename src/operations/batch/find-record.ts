import type { BatchRecord } from '../../store/batches/types.ts';
import type { Store } from '../../store/index.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';

/** A batch that a worker has written down. Throws BATCH_NOT_FOUND. */
export async function findRecord(
  { store }: Readonly<{ store: Store }>,
  batchId: string,
): Promise<BatchRecord> {
  const record = await store.batches.find(batchId);
  if (record === undefined) throw new BursarError('BATCH_NOT_FOUND', { batchId });
  return record;
}
