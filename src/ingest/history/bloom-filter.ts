/**
 * A Bloom filter: a fast test that rejects most keys that were never added. Keys are random words.
 */
export type BloomFilter = Readonly<{ words: Int32Array; mask: number }>;

/** Bits for each key. About one in 16 other keys then passes the test. */
const BITS_PER_KEY = 8;
/** Bits for each key in a filter where one in 50 other keys passes. */
export const BITS_PER_KEY_FEW = 16;
const BITS_MIN = 1_024;

/**
 * Makes a filter of one or two bytes for each key, so that a million keys fit the processor's
 * cache.
 */
export function createBloomFilter(keys: number, bitsPerKey = BITS_PER_KEY): BloomFilter {
  const bits = 2 ** Math.ceil(Math.log2(Math.max(BITS_MIN, keys * bitsPerKey)));
  const words = new Int32Array(bits / 32);
  return { words, mask: words.length - 1 };
}

/** Returns the two bits of a key within its word. The two ends of the key select them. */
export const bitsOf = (key: number): number => (1 << (key & 31)) | (1 << (key >>> 27));

/**
 * Returns 1 when a word has both bits of the key, else 0. A number needs no branch in the caller.
 */
export const hasBits = (word: number, key: number): number =>
  (word >>> (key & 31)) & (word >>> (key >>> 27)) & 1;

/** Adds a key. Its middle bits select the word. */
export function addKey({ words, mask }: BloomFilter, key: number): void {
  const word = (key >>> 5) & mask;
  words[word] = (words[word] ?? 0) | bitsOf(key);
}

/**
 * Returns 1 for every added key and for few others, else 0.
 * It takes the parts of a filter, because callers in loops keep them in local variables.
 */
export const bitOfKey = (words: Int32Array, mask: number, key: number): number =>
  hasBits(words[(key >>> 5) & mask] ?? 0, key);
