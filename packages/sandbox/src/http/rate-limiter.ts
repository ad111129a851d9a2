import type { Modes } from '../core/modes.ts';
import { type TokenBucket, takeToken } from '../core/rate-limit.ts';
import { Refused } from '../core/refusals.ts';

/** Counts the requests of each key. A restart resets the counts. */
export type RateLimiter = Readonly<{
  /** Throws Refused when the key makes too many requests. */
  admit(key: string, modes: Modes, nowMs: number): void;
}>;

export function createRateLimiter(): RateLimiter {
  // Every key here has signed a request, so there are few.
  const buckets = new Map<string, TokenBucket>();
  return {
    admit(key, { requestsPerSecond }, nowMs) {
      if (requestsPerSecond === null) return;
      const { bucket, waitMs } = takeToken(buckets.get(key), requestsPerSecond, nowMs);
      buckets.set(key, bucket);
      if (waitMs === 0) return;
      throw new Refused('TOO_MANY_REQUESTS', undefined, Math.ceil(waitMs / 1000));
    },
  };
}
