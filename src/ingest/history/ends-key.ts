import { headKey, tailKey } from '../../domain/plan/address-ends.ts';

const SPREAD = 0x9e3779b1;

/** No ends have this key. */
export const NO_KEY = 0;
const INSTEAD_OF_NO_KEY = 1;

/**
 * The key of all addresses of one family of networks, by its seed, that may look alike. The ends hold their characters
 * in their top bits and zeros below; here every bit of them affects every bit.
 */
export function endsKey(head: number, tail: number, seed: number): number {
  const last = tailKey(tail);
  const a = Math.imul(headKey(head, tail) ^ seed, SPREAD);
  const b = Math.imul(a ^ (a >>> 16) ^ (last >>> 16) ^ (last << 16), SPREAD);
  return b ^ (b >>> 15) || INSTEAD_OF_NO_KEY;
}
