/** Bits that say quickly of most keys that they were never added. Keys are words that look random. */
export type BitFilter = Readonly<{ words: Int32Array; mask: number }>;

/** Bits for each key: of those that were never added one in 16 or so seems to have been. */
const BITS_PER_KEY = 8;
const BITS_MIN = 1_024;

/** One or two bytes a key, so that the filter of a million keys stays close to the processor. */
export function createBitFilter(keys: number): BitFilter {
  const bits = 2 ** Math.ceil(Math.log2(Math.max(BITS_MIN, keys * BITS_PER_KEY)));
  const words = new Int32Array(bits / 32);
  return { words, mask: words.length - 1 };
}

/** Two bits of one word stand for a key: the middle of the key says which word, its two ends which bits. */
export function addKey({ words, mask }: BitFilter, key: number): void {
  const word = (key >>> 5) & mask;
  words[word] = (words[word] ?? 0) | (1 << (key & 31)) | (1 << (key >>> 27));
}

/**
 * 1 for every key that was added, and rarely for another one; else 0. It takes the parts of a filter, which whoever asks
 * often keeps at hand, and gives a number, so that nobody has to branch.
 */
export function bitOfKey(words: Int32Array, mask: number, key: number): number {
  const word = words[(key >>> 5) & mask] ?? 0;
  return (word >>> (key & 31)) & (word >>> (key >>> 27)) & 1;
}
