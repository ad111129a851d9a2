import { disproofReason } from '../domain/notify/lookups-disproven.ts';
import type { Store } from '../store/index.ts';
import { noteOf } from '../domain/errors/bursar-error.ts';
import { isStore, type StoreIdentity, type StoreRef } from '../domain/store/identity.ts';
import { type Check, fail, ok, warn } from './check.ts';

/** A name under which the doctor writes, to see that writing works. */
const SUBJECT = 'doctor';

/**
 * Whether the store can be written. Opening it has checked that every migration is applied, and that commits survive a
 * loss of power.
 */
export async function checkStore(
  store: Store,
  { url, nowMs }: Readonly<{ url: string; nowMs: number }>,
): Promise<Check> {
  await store.watches.note(SUBJECT, { condition: 'OK', atMs: nowMs, detail: '' });
  return ok('store', `${url} can be written, and is of this version`);
}

/** Rounds that did not come for this many intervals are missing. */
const INTERVALS_MAX = 5;

/** Whether a worker runs the rounds of housekeeping, and how the last ones went. */
export async function checkRounds(
  store: Store,
  { everyMs, nowMs }: Readonly<{ everyMs: number; nowMs: number }>,
): Promise<Check> {
  const name = 'housekeeping';
  const watch = await store.watches.find('housekeeping');
  const fix = 'Start a worker ("npm run worker"); it runs the background jobs.';
  if (watch === undefined) return warn(name, 'it has not run yet', fix);
  const ageS = Math.round((nowMs - watch.seenAtMs) / 1_000);
  if (nowMs - watch.seenAtMs > INTERVALS_MAX * everyMs) {
    return warn(name, `background jobs: last run ${ageS} s ago`, fix);
  }
  return watch.condition === 'OK'
    ? ok(name, `background jobs: last run ${ageS} s ago`)
    : warn(
        name,
        `background jobs: some failed in the last run: ${watch.detail}`,
        'See the log of the worker.',
      );
}

/** A warning when lookups of the account contradicted themselves: each second create then waits for a person. */
export async function checkLookups(
  { lookupVerification: proofs }: Store,
  { account = '', baseUrl = '' }: Readonly<{ account?: string; baseUrl?: string }>,
): Promise<Check[]> {
  const { disproof } = await proofs.trust(account, baseUrl);
  if (disproof === undefined) return [];
  const says = `${disproofReason(disproof)}; since ${new Date(disproof.atMs).toISOString()} a person decides about each second create`;
  const fix = `Check these rows at the service (bursar status ${disproof.batchId}), and ask its operator for the reason.`;
  return [warn('lookups', says, fix)];
}

/** Whether the workers of the task queue use this store. */
export function checkIdentity(
  store: StoreIdentity,
  served: StoreRef | undefined,
  taskQueue: string,
): Check {
  const name = 'identity of the store';
  if (served === undefined) return ok(name, `${store.id}; no worker has recorded its own`);
  if (isStore(store, served.id)) return ok(name, `${store.id}, as the workers have it`);
  const { code, what, fix } = noteOf('STORE_IS_ANOTHER', {
    store: store.id,
    served: served.id,
    taskQueue,
  });
  return fail(name, { says: `${code}: ${what}`, fix });
}
