/**
 * Settings with which a create in doubt is decided in seconds. The fence is the sum of the first three; what tests cut off
 * arrives within half a second or never, so seconds are as good as minutes.
 */
export const QUICK_FENCE = {
  BURSAR_API_TIMESTAMP_WINDOW_MS: '2000',
  BURSAR_API_FENCE_MARGIN_MS: '2000',
  // Matters where no answer shows the clock of the service.
  BURSAR_API_SKEW_MS: '0',
  BURSAR_API_SEND_BUDGET_MS: '1000',
} as const;

/** How long after an attempt in doubt the next one is made at the earliest, in milliseconds. */
export const QUICK_FENCE_MS =
  Number(QUICK_FENCE.BURSAR_API_TIMESTAMP_WINDOW_MS) +
  Number(QUICK_FENCE.BURSAR_API_FENCE_MARGIN_MS);

/**
 * The same where a process is lost with what it sent, and the service refuses what comes late: its window is as short as ours.
 * A create leaves within two seconds of its timestamp, so six more are left for a slow machine. A second create costs a test
 * three fences: one before it, and two before its rows get outcomes.
 */
export const SHORT_WINDOW = {
  BURSAR_API_TIMESTAMP_WINDOW_MS: '8000',
  BURSAR_SANDBOX_TIMESTAMP_WINDOW_MS: '8000',
  BURSAR_API_FENCE_MARGIN_MS: '2000',
  BURSAR_API_SEND_BUDGET_MS: '2000',
} as const;

/** How long after an attempt in doubt the next one is made then at the earliest, in milliseconds. */
export const SHORT_WINDOW_FENCE_MS =
  Number(SHORT_WINDOW.BURSAR_API_TIMESTAMP_WINDOW_MS) +
  Number(SHORT_WINDOW.BURSAR_API_FENCE_MARGIN_MS);
