/**
 * Since when an open mass payout is followed, has its state, and cannot be read. Milliseconds since 1970; null: not
 * yet.
 */
export type PayoutTimes = Readonly<{
  openSinceMs: number | null;
  stateSinceMs: number | null;
  unreadSinceMs: number | null;
}>;

/**
 * Why a person should check a mass payout that is followed all the same. Codes are never renamed: `bursar status`
 * prints them.
 */
export type AlarmReason = 'NEVER_READ' | 'NOT_READABLE' | 'STANDS_STILL' | 'OVERDUE';

export type Alarm = Readonly<{ reason: AlarmReason; sinceMs: number }>;

/**
 * How long the service may refuse to show a mass payout that no read has shown, in milliseconds. Lookups may lag for seconds. A
 * wrong `api.shapes.mass_get_accepts` makes every read a refused one.
 */
export const REFUSED_MS_MAX = 60_000;
/** How long reads may fail, and how long a mass payout may stand in a state that does not pass by itself, in milliseconds. */
export const STILL_MS_MAX = 3_600_000;
/** How long a mass payout may be on its way, through any states, in milliseconds. */
export const OPEN_MS_MAX = 86_400_000;

/**
 * States that pass by themselves, and ends whose withdrawals are looked up. Any other waits for people, or is unknown.
 */
const STATES_THAT_PASS: readonly string[] = [
  'CREATION_IN_PROGRESS',
  'CONFIRMED',
  'IN_PROGRESS',
  'PARTIAL',
  'COMPLETED',
  'FAILED',
];

/** The result of one more read: the state before and now; `is` undefined when the mass payout could not be read. */
export type PayoutSeen = Readonly<{ was: string | null; is: string | undefined; nowMs: number }>;

/** The times after one more read. */
export function nextPayoutTimes(before: PayoutTimes, { was, is, nowMs }: PayoutSeen): PayoutTimes {
  const openSinceMs = before.openSinceMs ?? nowMs;
  if (is === undefined) {
    return { ...before, openSinceMs, unreadSinceMs: before.unreadSinceMs ?? nowMs };
  }
  const stateSinceMs = is === was ? (before.stateSinceMs ?? nowMs) : nowMs;
  return { openSinceMs, stateSinceMs, unreadSinceMs: null };
}

/** The last read of an open mass payout. `isRefused`: the service answered, and did not show it. */
type LastRead = Readonly<{
  state: string | null;
  isRefused?: boolean;
  dueMs: number;
  nowMs: number;
}>;

/**
 * Why a person should check, if at all. `dueMs`: when the service had to pay; before that a state that passes by itself
 * is not late.
 */
export function alarmOf(
  { openSinceMs, stateSinceMs, unreadSinceMs }: PayoutTimes,
  { state, isRefused = false, dueMs, nowMs }: LastRead,
): Alarm | undefined {
  const wasRead = stateSinceMs !== null;
  if (isRefused && !wasRead && unreadSinceMs !== null && nowMs - unreadSinceMs >= REFUSED_MS_MAX) {
    return { reason: 'NEVER_READ', sinceMs: unreadSinceMs };
  }
  if (unreadSinceMs !== null && nowMs - unreadSinceMs >= STILL_MS_MAX) {
    return { reason: 'NOT_READABLE', sinceMs: unreadSinceMs };
  }
  const passes = state === null || STATES_THAT_PASS.includes(state);
  if (!passes && stateSinceMs !== null && nowMs - stateSinceMs >= STILL_MS_MAX) {
    return { reason: 'STANDS_STILL', sinceMs: stateSinceMs };
  }
  if (openSinceMs !== null && nowMs - Math.max(openSinceMs, dueMs) >= OPEN_MS_MAX) {
    return { reason: 'OVERDUE', sinceMs: openSinceMs };
  }
  return undefined;
}
