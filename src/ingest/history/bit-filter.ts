/** Bits that quickly rule out most keys that were never added. Keys are words that look random. */
export type BitFilter = Readonly<{ words: Int32Array; mask: number }>;

/** Bits for each key: of those that were never added, one in 16 or so seems to have been. */
const BITS_PER_KEY = 8;
/** With so many it is one in 50. */
export const BITS_PER_KEY_FEW = 16;
const BITS_MIN = 1_024;

/** One or two bytes a key, so that the filter of a million keys stays close to the processor. */
export function createBitFilter(keys: number, bitsPerKey = BITS_PER_KEY): BitFilter {
  const bits = 2 ** Math.ceil(Math.log2(Math.max(BITS_MIN, keys * bitsPerKey)));
  const words = new Int32Array(bits / 32);
  return { words, mask: words.length - 1 };
}

/** Two bits of one word stand for a key, chosen by its two ends. */
export const bitsOf = (key: number): number => (1 << (key & 31)) | (1 << (key >>> 27));

/** 1 when a word has the bits of the key, else 0: a number, so that no caller has to branch. */
export const hasBits = (word: number, key: number): number =>
  (word >>> (key & 31)) & (word >>> (key >>> 27)) & 1;

/** The middle of a key chooses the word of its bits. */
export function addKey({ words, mask }: BitFilter, key: number): void {
  const word = (key >>> 5) & mask;
  words[word] = (words[word] ?? 0) | bitsOf(key);
}

/**
 * 1 for every key that was added, and rarely for another one; else 0. It takes the parts of a filter, which a frequent
 * caller keeps at hand.
 */
export const bitOfKey = (words: Int32Array, mask: number, key: number): number =>
  hasBits(words[(key >>> 5) & mask] ?? 0, key);
