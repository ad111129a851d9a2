import type { NotifiableEvent } from '../../domain/notify/events.ts';
import { disproofNews, disproofReason } from '../../domain/notify/lookups-disproven.ts';
import type { BatchFacts } from '../../store/batches/batches.ts';
import type { Disproof } from '../../store/sending/disproofs.ts';
import { ENGINE } from '../../store/audit/audited.ts';
import type { Store } from '../../store/index.ts';
import { putHold } from '../shared/put-hold.ts';
import type { Service } from './service.ts';

export type DistrustDeps = Readonly<{
  store: Store;
  service: Service;
  nowMs(): number;
  /** Notifies people. */
  notify?(news: NotifiableEvent): Promise<void>;
}>;

/**
 * Writes down, once and for good, that lookups of the account contradicted themselves. A batch that is not over is held, and
 * people are notified. The record comes last: a worker that is lost before it is written starts over.
 */
export async function distrust(
  { store, service, nowMs, notify }: DistrustDeps,
  batch: BatchFacts,
  disproof: Omit<Disproof, 'atMs'>,
): Promise<void> {
  const { account } = batch;
  if (await store.lookupVerification.isDisproven(account, service.lookupName, disproof)) return;
  const { firstRow, lastRow, rowCount } = await store.chunks.get(disproof.batchId, disproof.chunk);
  const atMs = nowMs();
  const reason = disproofReason(disproof);
  const held = await store.batches.find(batch.batchId);
  if (held?.endState === null)
    await putHold({ store, nowMs }, batch.batchId, { kind: 'PAUSE', reason });
  await notify?.(disproofNews(batch.batchId, { ...disproof, firstRow, lastRow, rowCount }));
  const detail = { ...disproof, baseUrl: service.baseUrl, reason };
  const entry = { actor: ENGINE, action: 'distrust-lookups', detail };
  await store.audit.append({ ...entry, atMs, batchId: batch.batchId });
  await store.lookupVerification.disprove(account, service.lookupName, { ...disproof, atMs });
}
