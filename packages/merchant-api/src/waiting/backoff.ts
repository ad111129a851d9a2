import type { WaitTimer } from './wait-timer.ts';

/** Delays that double from the first to the largest, in milliseconds. */
export type BackoffLimits = Readonly<{ firstMs: number; maxMs: number }>;

/**
 * The delay before repetition `n`, counted from 1. Chance takes off up to half, so that programs that failed together
 * do not come back together.
 */
export function backoffMs(n: number, limits: BackoffLimits, { random }: WaitTimer): number {
  const wholeMs = Math.min(limits.maxMs, limits.firstMs * 2 ** (n - 1));
  return Math.ceil(wholeMs * (1 - random() / 2));
}
