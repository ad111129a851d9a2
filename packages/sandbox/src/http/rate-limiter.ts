import type { Modes } from '../core/modes.ts';
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

/** The requests that a key may still make. The bucket fills up to the requests of one second. */
export type TokenBucket = Readonly<{ tokens: number; atMs: number }>;

type TokenDraw = Readonly<{
  bucket: TokenBucket;
  /** How long to wait until a token is there, in milliseconds. 0: one was taken. */
  waitMs: number;
}>;

/** Takes one token, if there is one. A new bucket is full. */
export function takeToken(
  bucket: TokenBucket | undefined,
  perSecond: number,
  nowMs: number,
): TokenDraw {
  const elapsedMs = bucket === undefined ? 0 : Math.max(0, nowMs - bucket.atMs);
  const held = bucket?.tokens ?? perSecond;
  const tokens = Math.min(perSecond, held + (elapsedMs * perSecond) / 1000);
  if (tokens >= 1) return { bucket: { tokens: tokens - 1, atMs: nowMs }, waitMs: 0 };
  const waitMs = Math.ceil(((1 - tokens) * 1000) / perSecond);
  return { bucket: { tokens, atMs: nowMs }, waitMs };
}
