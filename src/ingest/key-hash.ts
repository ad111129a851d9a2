/** A hash of 64 bits as two signed words. */
export type KeyHash = Int32Array;

export const newKeyHash = (): KeyHash => new Int32Array(2);

/** Stands after each text of a key; no text of a row has it. */
const SEPARATOR = 0xffff;

const turned = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

/** Spreads what differs in one bit over all bits (the finish of MurmurHash3). */
function spread(word: number): number {
  const a = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const b = Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return b ^ (b >>> 16);
}

/**
 * Writes the hash of texts, borders included, to `target`. Fast and not secret: among a million rows two different ones
 * share a hash with a chance of 1 in 30 million, and whoever makes them share it only gets a finding in a file of their
 * own.
 */
export function hashKey(texts: readonly string[], target: KeyHash): void {
  let low = 0x9e3779b9 | 0;
  let high = 0x2545f491 | 0;
  for (const text of texts) {
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      low = Math.imul(turned(low, 5) ^ unit, 0x9e3779b1);
      high = Math.imul(turned(high, 9) ^ unit, 0x5f356495);
    }
    low = Math.imul(turned(low, 5) ^ SEPARATOR, 0x9e3779b1);
    high = Math.imul(turned(high, 9) ^ SEPARATOR, 0x5f356495);
  }
  target[0] = spread(low ^ turned(high, 7));
  target[1] = spread(high);
}
