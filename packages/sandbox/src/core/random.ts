/**
 * Returns the n-th number of a seeded sequence, from 0 up to but not including 1. It is the same on
 * every machine.
 */
export function random(seed: number, n: number): number {
  // The output function of "mulberry32" over a counter. The counter is its whole state, so the
  // store can keep it.
  let bits = (seed + Math.imul(n + 1, 0x6d2b79f5)) | 0;
  bits = Math.imul(bits ^ (bits >>> 15), bits | 1);
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
  return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
}
