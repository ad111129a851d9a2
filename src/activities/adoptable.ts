import { BursarError, isBursarError } from '../domain/errors/bursar-error.ts';
import type { ChunkRef } from '../store/sends.ts';
import { readPayout } from './read-payout.ts';
import type { SendDeps } from './sending.ts';
import { callService } from './service.ts';
import { foundPayout } from './verify-payout.ts';

type Deps = Pick<SendDeps, 'store' | 'service'>;

/**
 * Refuses a mass payout that cannot be the one of a chunk, so that whoever names it learns so at once. Where the service
 * does not answer nobody can tell: the answer is taken then, and compared before it is believed. Throws ADOPT_DIFFERS.
 */
export async function refuseOther(deps: Deps, ref: ChunkRef, massPayoutId: string): Promise<void> {
  const differences = await differencesFrom(deps, ref, massPayoutId);
  if (differences.length === 0) return;
  const { batchId, chunk } = ref;
  const facts = { batchId, chunk: String(chunk), massPayoutId, why: differences.join('; ') };
  throw new BursarError('ADOPT_DIFFERS', facts);
}

async function differencesFrom(
  { store, service }: Deps,
  ref: ChunkRef,
  massPayoutId: string,
): Promise<readonly string[]> {
  const chunk = await store.chunks.get(ref.batchId, ref.chunk);
  const { account } = await store.batches.facts(ref.batchId);
  try {
    const payout = await callService(service, (api) => readPayout(api, { id: massPayoutId }));
    if (payout === undefined) return [UNKNOWN];
    // An operator adopts just because the key did not lead to it.
    const sameKey = { ...payout, idempotencyKey: chunk.idempotencyKey };
    const { differences } = foundPayout(account, chunk, sameKey);
    return [...differences, ...(await store.sends.otherOwners(ref, massPayoutId))];
  } catch (error) {
    if (!isBursarError(error)) throw error;
    return error.code === 'SERVICE_REFUSED' ? [UNKNOWN] : [];
  }
}

const UNKNOWN = 'the service does not know it';
