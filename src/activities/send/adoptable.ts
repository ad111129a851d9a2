import type { SendDeps } from './types.ts';
import {
  BursarError,
  isBursarError,
  isStoreUnavailable,
} from '../../domain/errors/bursar-error.ts';
import type { ChunkRef } from '../../store/sending/sends.ts';
import { namedPayout } from '../service/verify-payout.ts';

type Deps = SendDeps;

/**
 * Refuses a mass payout that cannot be the one of a chunk, so that the person who names it gets the error at once.
 * Where the service does not answer, the answer is taken, and compared before it counts. Throws ADOPT_DIFFERS.
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
    const found = await namedPayout(service, { account, chunk }, massPayoutId);
    if (found === undefined) return [UNKNOWN];
    return [...found.differences, ...(await store.sends.otherOwners(ref, massPayoutId))];
  } catch (error) {
    if (!isBursarError(error) || isStoreUnavailable(error)) throw error;
    return error.code === 'SERVICE_REFUSED' ? [UNKNOWN] : [];
  }
}

const UNKNOWN = 'the service does not know it';
