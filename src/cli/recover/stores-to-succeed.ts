import { BursarError } from '../../domain/errors/bursar-error.ts';
import { idsOf, isStore } from '../../domain/store/identity.ts';
import type { Sources } from '../batch/sources.ts';

/**
 * The ids of the stores in whose place an empty store is put: those that housekeeping and the running batches name.
 * @throws STORE_NOT_EMPTY when the store has batches of its own: it is no replacement, but the store of somebody else.
 */
export async function storesToSucceed({ store, engine: open }: Sources): Promise<string[]> {
  const identity = await store.identity.read();
  const engine = await open();
  const served = await engine.served();
  const named = new Set(served === undefined ? [] : idsOf(served));
  for (const batchId of (await engine.running()).keys()) {
    const execution = await engine.describe(batchId);
    for (const id of execution?.store === undefined ? [] : idsOf(execution.store)) named.add(id);
  }
  const lost = [...named].filter((id) => !isStore(identity, id));
  if (lost.length === 0) return [];
  const own = await store.batches.list(BATCHES_COUNTED_MAX);
  if (own.length > 0 && identity.succeeds.length === 0) {
    const facts = { store: identity.id, batches: own.length, served: lost.join(', ') };
    throw new BursarError('STORE_NOT_EMPTY', facts);
  }
  return lost;
}

/** The error says how many batches there are, up to this number. */
const BATCHES_COUNTED_MAX = 1_000;
