import type { Sources } from './types.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { hasPaidNothing } from './paid-nothing.ts';

/**
 * Refuses a resend of a batch that has a resend in Temporal which the store does not have, since the store is an older
 * copy. Throws RESEND_FORGOTTEN.
 */
export async function refuseForgotten(
  { store, engine: open }: Sources,
  parent: BatchRecord,
): Promise<void> {
  if ((await store.restores.of(parent.batchId)) === undefined) return;
  const engine = await open();
  for (const child of await engine.recovery.batchIds()) {
    if ((await store.batches.find(child)) !== undefined) continue;
    const execution = await engine.describe(child);
    if (execution === undefined || hasPaidNothing(execution)) continue;
    if (execution.resend?.parentBatchId !== parent.batchId) continue;
    throw new BursarError('RESEND_FORGOTTEN', { batchId: parent.batchId, child });
  }
}
