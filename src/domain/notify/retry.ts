import { sha256Hex } from '../sending/identity.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Waits before the second try, the third, and so on, as the Standard Webhooks specification recommends them. The last try
 * comes about 75 hours after the first.
 */
const RETRY_DELAYS_MS: readonly number[] = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** How much longer a wait may be, so that what failed together does not come again together. */
const JITTER_PERCENT_MAX = 10;
/** The longest wait that a receiver may request, in milliseconds. */
const ASKED_DELAY_MS_MAX = 24 * HOUR_MS;

/** A failed try: the number of tries of this delivery, and the wait that the receiver requests. */
export type FailedTry = Readonly<{
  notificationId: string;
  target: string;
  attempts: number;
  askedDelayMs?: number | undefined;
}>;

/**
 * The wait before the next try in milliseconds; undefined when there is none any more. The same facts give the same
 * wait.
 */
export function retryDelayMs({
  notificationId,
  target,
  attempts,
  askedDelayMs = 0,
}: FailedTry): number | undefined {
  const delayMs = RETRY_DELAYS_MS[attempts - 1];
  if (delayMs === undefined) return undefined;
  const drawn = Number.parseInt(
    sha256Hex(`${notificationId}|${target}|${attempts}`).slice(0, 8),
    16,
  );
  const jitterMs = Math.floor((delayMs * (drawn % (JITTER_PERCENT_MAX + 1))) / 100);
  return Math.max(delayMs + jitterMs, Math.min(askedDelayMs, ASKED_DELAY_MS_MAX));
}
