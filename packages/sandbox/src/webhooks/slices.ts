import type { SubscriptionRelease } from '../core/subscriptions.ts';
import type { SandboxStore } from '../store/store.ts';

type SliceStore = SandboxStore;

/** Deliveries that one transaction changes at most, so that nothing else waits long for it. */
const SLICE_LENGTH = 500;

/** Deliveries that are done with and remembered, of each subscription and each status. */
const DONE_KEPT_MAX = 50_000;

const DONE_STATUSES = ['DELIVERED', 'GIVEN_UP', 'DROPPED'] as const;

/** Forgets the oldest deliveries that are done with. */
export function trimDone({ deliveries }: SliceStore, n: number): void {
  const bounds = { kept: DONE_KEPT_MAX, limit: SLICE_LENGTH };
  for (const status of DONE_STATUSES) deliveries.trim(n, status, bounds);
}

/** Clears away some of what was queued for a subscription that is gone; returns whether any was. */
export const clearSlice = (store: SliceStore, n: number): boolean =>
  store.transaction(() => {
    const isCleared = store.deliveries.clear(n, SLICE_LENGTH);
    if (!isCleared) store.subscriptions.remove(n);
    return isCleared;
  });

/** Makes some of what an unblocking releases due at once; returns what is left to release. */
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
