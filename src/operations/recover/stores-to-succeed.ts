import type { Sources } from '../batch/types.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { idsOf, isStore, type KnownLookup } from '../../domain/store/identity.ts';
import { refuseAtWork } from './claim-queue.ts';

/** The parts that an empty store takes over: the ids of lost stores, and the verification of lookups. */
export type LostStores = Readonly<{ ids: readonly string[]; lookup: KnownLookup | undefined }>;

export const NOTHING_LOST: LostStores = { ids: [], lookup: undefined };

/**
 * The ids of the stores in whose place an empty store is put: those that housekeeping and the batches that have not ended name.
 * @throws STORE_AT_WORK when a worker has one of them: it is not lost.
 * @throws STORE_NOT_EMPTY when the store has batches of its own: it is no replacement, but another store in use.
 */
export async function storesToSucceed(sources: Sources): Promise<LostStores> {
  const { store, engine: open } = sources;
  const identity = await store.identity.read();
  const engine = await open();
  const served = await engine.served();
  const named = new Set(served === undefined ? [] : idsOf(served));
  for (const batchId of await engine.recovery.batchIds()) {
    const execution = await engine.describe(batchId);
    if (execution?.store === undefined || execution.status === 'COMPLETED') continue;
    for (const id of idsOf(execution.store)) named.add(id);
  }
  const lost = [...named].filter((id) => !isStore(identity, id));
  if (lost.length === 0) return NOTHING_LOST;
  await refuseAtWork(sources, lost);
  const own = await store.batches.list(BATCHES_COUNTED_MAX);
  if (own.length > 0 && identity.succeeds.length === 0) {
    const facts = { store: identity.id, batches: own.length, served: lost.join(', ') };
    throw new BursarError('STORE_NOT_EMPTY', facts);
  }
  return { ids: lost, lookup: served?.lookup };
}

/** The error counts batches up to this number. */
const BATCHES_COUNTED_MAX = 1_000;
