import { LAG_FACTOR } from './fence.ts';
import { RETRY_AFTER_MS_MAX } from './pace.ts';
import type { SendRecord } from './send-record.ts';

/** Waits after sends that provably never left; the last one repeats. Milliseconds. */
const RECONNECT_DELAYS_MS = [500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000] as const;
/** The wait after a throttled create where the service names none, in milliseconds. */
const THROTTLE_DELAY_MS = 2_000;

/** When the pause after the last attempt of a chunk is over, in milliseconds since 1970; 0 when there is none. */
export function endOfPause(
  record: SendRecord,
  { lookupLagMs }: Readonly<{ lookupLagMs: number }>,
): number {
  const last = record.attempts.at(-1);
  if (last?.endedMs === undefined) return 0;
  if (last.outcome === 'THROTTLED') {
    const delayMs = Math.min(last.retryAfterMs ?? THROTTLE_DELAY_MS, RETRY_AFTER_MS_MAX);
    return last.endedMs + Math.max(delayMs, LAG_FACTOR * lookupLagMs);
  }
  if (last.outcome !== 'NOT_SENT') return 0;
  const sentAt = record.attempts.findLastIndex((attempt) => attempt.outcome !== 'NOT_SENT');
  return last.endedMs + delayAt(RECONNECT_DELAYS_MS, record.attempts.length - 2 - sentAt);
}

/** One of a row of delays, of which the last one repeats. Milliseconds. */
export const delayAt = (delaysMs: readonly number[], index: number): number =>
  delaysMs[Math.min(Math.max(index, 0), delaysMs.length - 1)] ?? 0;
