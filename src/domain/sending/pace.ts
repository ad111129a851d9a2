/** The longest wait for a slot, in milliseconds. */
const SLOT_WAIT_MS_MAX = 60_000;
/** The wait of a request that finds all slots taken, in milliseconds. It ends long before they are used up, so none is left unused. */
const ALL_TAKEN_WAIT_MS = SLOT_WAIT_MS_MAX / 2;

/**
 * The longest time for which a `Retry-After` of the service holds requests back, in milliseconds. A longer one is cut, so that one
 * answer cannot stop the payments of an account for a year.
 */
export const RETRY_AFTER_MS_MAX = 60_000;

/** The clock of the pace, and the time between two slots. Milliseconds; the clock counts since 1970. */
export type SlotTiming = Readonly<{ intervalMs: number; nowMs: number }>;

/** The slot that a request has taken. `slotMs`: its begin; undefined: all are taken, and the request tries again after `waitMs`. */
export type Slot = Readonly<{ slotMs: number | undefined; waitMs: number }>;

/**
 * The next free slot in which a request may leave. `lastMs`: the begin of the slot that was taken last, if any. A slot that was
 * not taken in time is lost, so no burst follows a pause. A last slot further ahead than any request waits was given out by a
 * clock that was wrong, and does not count.
 *
 * @example
 * nextSlot(1_000, { intervalMs: 250, nowMs: 1_100 }); // { slotMs: 1_250, waitMs: 150 }
 */
export function nextSlot(lastMs: number | undefined, { intervalMs, nowMs }: SlotTiming): Slot {
  const latestMs = nowMs + SLOT_WAIT_MS_MAX;
  if (lastMs === undefined || lastMs > latestMs) return { slotMs: nowMs, waitMs: 0 };
  const slotMs = Math.max(lastMs + intervalMs, nowMs);
  if (slotMs > latestMs) return { slotMs: undefined, waitMs: ALL_TAKEN_WAIT_MS };
  return { slotMs, waitMs: slotMs - nowMs };
}

/**
 * The instant from which requests may leave after the service has named a time. It is never before `knownMs`, the one that an
 * earlier answer named.
 */
export function retryAtMs(
  knownMs: number | null,
  { retryAfterMs, nowMs }: Readonly<{ retryAfterMs: number; nowMs: number }>,
): number {
  const namedMs = nowMs + Math.min(retryAfterMs, RETRY_AFTER_MS_MAX);
  return Math.max(namedMs, nowMs + retryWaitMs(knownMs, nowMs));
}

/** How long no request may leave, in milliseconds. An instant that is too far ahead comes from a clock that was wrong. */
export function retryWaitMs(atMs: number | null, nowMs: number): number {
  const waitMs = (atMs ?? 0) - nowMs;
  return waitMs > 0 && waitMs <= RETRY_AFTER_MS_MAX ? waitMs : 0;
}
