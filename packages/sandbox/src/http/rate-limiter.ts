import type { Modes } from '../core/modes.ts';
import { type TokenBucket, takeToken } from '../core/rate-limit.ts';
import { Refused } from '../core/refusals.ts';

/** Counts the requests of each key; a restart forgets the counts. */
export type RateLimiter = Readonly<{
  /** Refuses the request when its key makes too many. */
  admit(key: string, modes: Modes, nowMs: number): void;
}>;

export function createRateLimiter(): RateLimiter {
  // Only keys that signed a request come here, so that there are few.
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
