import type { NotApproved, Released } from '../../contract/activities.ts';
import { dueAtMsOf, isReleased } from '../../domain/approval/due.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { Store } from '../../store/index.ts';
import { feesInTheWay } from '../shared/rule-holds.ts';

export type ReleaseDeps = Readonly<{
  store: Store;
  nowMs(): number;
}>;

/** Allows a batch to pay, once it is due, approved and has its money, and no fee is in the way. */
export async function releaseBatch(
  { store, nowMs }: ReleaseDeps,
  batchId: string,
): Promise<Released | NotApproved> {
  const batch = await store.batches.find(batchId);
  if (batch === undefined) throw new BursarError('BATCH_NOT_FOUND', { batchId });
  // A batch that was reset goes on: it was released before.
  const dueAtMs = dueAtMsOf(batch.optionsJson);
  if (isReleased({ ...batch, dueAtMs })) return { kind: 'released' };
  if (batch.endState !== null) {
    throw new BursarError('BATCH_ENDED', { batchId, state: batch.endState });
  }
  if (batch.digest === null) {
    throw new BursarError('INTERNAL', { message: `batch ${batchId} has no plan` });
  }
  const fees = feesInTheWay(batch);
  if (fees !== null) return { kind: 'not-approved', missing: fees };
  if (!(await store.funds.isGranted(batchId))) {
    throw new BursarError('INTERNAL', { message: `no funds were granted to batch ${batchId}` });
  }
  const released = await store.batches.release(batchId, nowMs());
  // It ended between the two reads.
  if (released.kind === 'closed') throw new BursarError('BATCH_ENDED', { batchId, state: 'over' });
  if (released.kind === 'not-due') throw notDue(batchId, released.dueAtMs);
  return released;
}

/** The clock of this worker may be a little behind that of Temporal, by which the workflow waited. So Temporal tries again. */
const notDue = (batchId: string, dueAtMs: number): BursarError =>
  new BursarError('NOT_DUE', { batchId, at: new Date(dueAtMs).toISOString() });
