import { headKey, tailKey } from '../../domain/plan/address-ends.ts';

const SPREAD = 0x9e3779b1;

/** A key that no ends have. */
export const NO_KEY = 0;
const REPLACEMENT_KEY = 1;

/**
 * Returns one key for all addresses that may look alike, in one family of networks (its seed).
 * The ends have their characters in the top bits and zeros below. The key mixes all bits.
 */
export function endsKey(head: number, tail: number, seed: number): number {
  const last = tailKey(tail);
  const a = Math.imul(headKey(head, tail) ^ seed, SPREAD);
  const b = Math.imul(a ^ (a >>> 16) ^ (last >>> 16) ^ (last << 16), SPREAD);
  return b ^ (b >>> 15) || REPLACEMENT_KEY;
}
