import { BursarError } from '../domain/errors/bursar-error.ts';
import { idempotencyKeyOf } from '../domain/sending/identity.ts';
import type { MassPayout } from '../merchant-api/index.ts';
import type { BatchRecord } from '../store/batches.ts';
import type { Store } from '../store/store.ts';
import { lookUpKey } from './lookup.ts';
import type { Service } from './service.ts';
import { foundPayout } from './verify-payout.ts';

export type RestoredDeps = Readonly<{
  store: Pick<Store, 'chunks' | 'sends' | 'proofs' | 'watches'>;
  service: Service;
  nowMs(): number;
}>;

/**
 * Since when a store that was brought back from an older copy may have forgotten sends of a batch; undefined: it forgot none. What was
 * submitted after it was brought back is known to it whole.
 */
export async function restoredAtMsOf(
  { watches }: Pick<Store, 'watches'>,
  { submittedAtMs }: Pick<BatchRecord, 'submittedAtMs'>,
): Promise<number | undefined> {
  const restoredAtMs = await watches.restoredAtMs();
  return restoredAtMs !== undefined && submittedAtMs <= restoredAtMs ? restoredAtMs : undefined;
}

type Batch = Pick<BatchRecord, 'batchId' | 'account' | 'generation'>;

/**
 * What the service has under the key of the first chunk, which leaves before all others: it tells whether a batch had begun to
 * pay. Throws SERVICE_UNREACHABLE when nobody answers.
 */
export async function findFirst(
  { store, service }: RestoredDeps,
  batch: Batch,
): Promise<MassPayout | undefined> {
  const { account } = batch;
  const proof = await store.proofs.find(account, service.baseUrl);
  const key = idempotencyKeyOf({ ...batch, chunk: FIRST });
  const { result, payout } = await lookUpKey(service, key, proof?.operation);
  if (result !== 'failed') return payout;
  const reason = 'no answer whether the batch had begun to pay';
  throw new BursarError('SERVICE_UNREACHABLE', { baseUrl: service.baseUrl, reason });
}

const FIRST = 0;

/** Writes down what was found of the first chunk, unless more is known of it. */
export async function adoptFirst(
  { store, nowMs }: RestoredDeps,
  { batchId, account }: Batch,
  payout: MassPayout,
): Promise<void> {
  const chunk = await store.chunks.get(batchId, FIRST);
  if (chunk.state !== 'PLANNED') return;
  const { idempotencyKey } = chunk;
  await store.sends.recordLookup(
    { batchId, chunk: FIRST, idempotencyKey },
    { atMs: nowMs(), attempts: 0, result: 'found' },
    foundPayout(account, chunk, payout),
  );
}
