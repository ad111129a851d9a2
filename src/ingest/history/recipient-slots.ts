/**
 * A slot has four words: both halves of a hash, a value, and the bits of the recipient's rows.
 * They lie side by side, so that one memory access reads them. A free slot has the value 0.
 */
export const SLOT_WORDS = 4;
export const VALUE = 2;
export const ROWS = 3;

/** The slots of recipients. They take megabytes, so most accesses miss the processor's cache. */
export type RecipientSlots = Readonly<{
  table: Int32Array;
  /** Returns the start of the slot of a hash, or of its free slot. */
  startOf(low: number, high: number): number;
  /**
   * Loads the slots of hashes into the processor's cache, by their first halves.
   * Independent memory accesses run concurrently, so many take hardly longer than one.
   */
  fetch(lows: Int32Array, count: number): void;
}>;

export function createRecipientSlots(count: number): RecipientSlots {
  const { bits, eighths, size } = sizeFor(count);
  const table = new Int32Array(size * SLOT_WORDS);
  /** Never read. Without this write, the compiler could drop the loads. */
  const fetched = new Int32Array(1);

  const positionOf = (low: number): number =>
    (((low >>> (32 - bits)) * eighths) >>> 3) * SLOT_WORDS;

  return {
    table,
    startOf(low, high) {
      let at = positionOf(low);
      while (table[at + VALUE] !== 0 && (table[at] !== low || table[at + 1] !== high)) {
        at += SLOT_WORDS;
        if (at === table.length) at = 0;
      }
      return at;
    },
    fetch(lows, lowCount) {
      let found = 0;
      for (let i = 0; i < lowCount; i++) found ^= table[positionOf(lows[i] ?? 0)] ?? 0;
      fetched[0] = found;
    },
  };
}

const LOAD_MAX = 0.75;
const BITS_MIN = 4;

/**
 * Returns the number of slots as eighths of a power of two.
 * The position of a hash then follows from its top bits in 32-bit integers, without a division.
 * Eighths waste less memory than whole powers of two.
 */
function sizeFor(count: number): Readonly<{ bits: number; eighths: number; size: number }> {
  const needed = Math.ceil(count / LOAD_MAX) + 1;
  const bits = Math.max(BITS_MIN, Math.ceil(Math.log2(needed)));
  const eighth = 2 ** (bits - 3);
  const eighths = Math.ceil(needed / eighth);
  return { bits, eighths, size: eighths * eighth };
}
