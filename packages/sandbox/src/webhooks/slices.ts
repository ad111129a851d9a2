import type { SubscriptionRelease } from '../core/subscriptions.ts';
import type { SandboxStore } from '../store/store.ts';

type SliceStore = SandboxStore;

/** The most deliveries that one transaction changes, so that other work does not wait long. */
const SLICE_LENGTH = 500;

/** The finished deliveries that are kept for each subscription and status. */
const DONE_KEPT_MAX = 50_000;

const DONE_STATUSES = ['DELIVERED', 'GIVEN_UP', 'DROPPED'] as const;

/** Deletes the oldest finished deliveries. */
export function trimDone({ deliveries }: SliceStore, n: number): void {
  const bounds = { kept: DONE_KEPT_MAX, limit: SLICE_LENGTH };
  for (const status of DONE_STATUSES) deliveries.trim(n, status, bounds);
}

/** Removes some deliveries of a deleted subscription. Returns whether there were any. */
export const clearSlice = (store: SliceStore, n: number): boolean =>
  store.transaction(() => {
    const isCleared = store.deliveries.clear(n, SLICE_LENGTH);
    if (!isCleared) store.subscriptions.remove(n);
    return isCleared;
  });

/** Makes some deliveries of an unblocking due at once. Returns the rest of the release. */
export const releaseSlice = (
  store: SliceStore,
  { n, release }: Readonly<{ n: number; release: SubscriptionRelease }>,
  nowMs: number,
): SubscriptionRelease | null =>
  store.transaction(() => {
    const left = store.deliveries.release(n, release, { nowMs, limit: SLICE_LENGTH });
    store.subscriptions.setRelease(n, left);
    return left;
  });
