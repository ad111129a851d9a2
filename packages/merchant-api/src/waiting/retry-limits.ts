/** Default number of repetitions of a read. A caller that keeps a pace of its own counts each request. */
export const RETRIES_DEFAULT = 0;

/** Largest number of repetitions of a read. Ten of them last a minute at most, without `Retry-After`. */
export const RETRIES_MAX = 10;

/** Whether a number is one of `retries`. */
export const isRetries = (count: unknown): count is number =>
  Number.isSafeInteger(count) && Number(count) >= 0 && Number(count) <= RETRIES_MAX;
