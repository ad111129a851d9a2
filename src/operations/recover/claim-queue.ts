import type { Sources } from '../batch/types.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { idsOf, isStore, type StoreRef } from '../../domain/store/identity.ts';
import { refuseForeignQueue } from '../batch/own-store.ts';
import { WORKER_SEEN_MS_MAX } from '../engine/limits.ts';

/**
 * The store that the task queue names and that gives way to this one; undefined where the queue names this one already.
 *
 * A worker that was started in the wrong folder may be the first on the queue. Its store is then the one of the queue, and
 * the right store is refused. That store gives way only if no worker has it, no open batch was started with it, and it did
 * not take the place of this one.
 * @throws STORE_AT_WORK, STORE_IS_ANOTHER
 */
export async function storeThatGivesWay(sources: Sources): Promise<StoreRef | undefined> {
  const { store, engine: open } = sources;
  const engine = await open();
  const served = await engine.served();
  const identity = await store.identity.read();
  if (served === undefined || isStore(identity, served.id)) return undefined;
  await refuseAtWork(sources, [served.id]);
  // Its workers may have sent rows of this store's batches since then.
  const isSuccessor = idsOf(served).some((id) => isStore(identity, id));
  if (isSuccessor || (await hasOpenBatch(sources, served.id))) await refuseForeignQueue(sources);
  return served;
}

/** A batch whose workflow was terminated is open too: only its store has its sends. */
async function hasOpenBatch({ engine: open }: Sources, storeId: string): Promise<boolean> {
  const engine = await open();
  for (const batchId of await engine.recovery.batchIds()) {
    const execution = await engine.describe(batchId);
    if (execution?.store === undefined || execution.status === 'COMPLETED') continue;
    if (idsOf(execution.store).includes(storeId)) return true;
  }
  return false;
}

/** Names this store to the task queue. Its workers take work from then on, and those of the other store refuse. */
export async function claimQueue(
  { store, engine }: Sources,
  instead: StoreRef | undefined,
  { actor, atMs }: Readonly<{ actor: string; atMs: number }>,
): Promise<void> {
  if (instead === undefined) return;
  const ref = await store.identity.ref();
  const detail = { store: ref.id, instead: instead.id };
  await store.audit.append({ actor, action: 'store-serves', detail, atMs, batchId: null });
  await (await engine()).serve(ref);
}

/**
 * A store is not lost while a worker has it. Example: a person runs "bursar recover --store empty" in another folder, while
 * the right worker pays. That worker would go on, and the workers of the empty store would send the same rows.
 * @throws STORE_AT_WORK
 */
export async function refuseAtWork(
  { settings, engine }: Sources,
  ids: readonly string[],
): Promise<void> {
  const seen = await (await engine()).storesAtWork();
  const served = ids.find((id) => seen.includes(id));
  if (served === undefined) return;
  const { taskQueue } = settings.temporal;
  throw new BursarError('STORE_AT_WORK', {
    served,
    taskQueue,
    seconds: WORKER_SEEN_MS_MAX / 1_000,
  });
}
