/** A hash of 64 bits as two signed words. */
export type LineHash = Int32Array;

export const newLineHash = (): LineHash => new Int32Array(2);

const turned = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

/** Spreads what differs in one bit over all bits (the finish of MurmurHash3). */
function spread(word: number): number {
  const a = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const b = Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return b ^ (b >>> 16);
}

/**
 * Writes the hash of the bytes from `start` up to the next line feed to `target`, and returns where that is. There must
 * be one. Fast and not secret: among a million lines two different ones share a hash with a chance of 1 in 30 million,
 * and whoever makes them share it only gets a finding in a file of their own.
 */
export function hashLine(bytes: Uint8Array, start: number, target: LineHash): number {
  let low = 0x9e3779b9 | 0;
  let high = 0x2545f491 | 0;
  let at = start;
  for (let byte = bytes[at] ?? LINE_FEED; byte !== LINE_FEED; byte = bytes[at] ?? LINE_FEED) {
    low = Math.imul(turned(low, 5) ^ byte, 0x9e3779b1);
    high = Math.imul(turned(high, 9) ^ byte, 0x5f356495);
    at += 1;
  }
  target[0] = spread(low ^ turned(high, 7));
  target[1] = spread(high);
  return at;
}

const LINE_FEED = 0x0a;
