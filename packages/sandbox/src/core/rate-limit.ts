/** What is left of the requests that a key may make; it fills up to one second's worth. */
export type TokenBucket = Readonly<{ tokens: number; atMs: number }>;

export type TokenDraw = Readonly<{
  bucket: TokenBucket;
  /** How long to wait until there is a token, in milliseconds; 0 when one was taken. */
  waitMs: number;
}>;

/** Takes one token, if there is one; a bucket that was never used is full. */
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
