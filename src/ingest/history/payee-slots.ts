/**
 * A slot is four words side by side, so that one read of the memory is enough: both halves of a hash, a value, and the
 * bits of the recipient's rows. The value is 0 while the slot is free.
 */
export const SLOT_WORDS = 4;
export const VALUE = 2;
export const ROWS = 3;

/** The slots of recipients. They take megabytes, so that nearly every read is at memory that is far away. */
export type PayeeSlots = Readonly<{
  table: Int32Array;
  /** Where the slot of a hash starts, else the free one where it belongs. */
  startOf(low: number, high: number): number;
  /**
   * Prefetches the slots that are read next: where the slots of hashes start, by their first halves. Many reads that do
   * not wait for each other take hardly longer than one.
   */
  fetch(lows: Int32Array, count: number): void;
}>;

export function createPayeeSlots(count: number): PayeeSlots {
  const { bits, eighths, size } = sizeFor(count);
  const table = new Int32Array(size * SLOT_WORDS);
  /** Is never read; without it nothing would have to be fetched. */
  const fetched = new Int32Array(1);

  const placeOf = (low: number): number => (((low >>> (32 - bits)) * eighths) >>> 3) * SLOT_WORDS;

  return {
    table,
    startOf(low, high) {
      let at = placeOf(low);
      while (table[at + VALUE] !== 0 && (table[at] !== low || table[at + 1] !== high)) {
        at += SLOT_WORDS;
        if (at === table.length) at = 0;
      }
      return at;
    },
    fetch(lows, many) {
      let found = 0;
      for (let i = 0; i < many; i++) found ^= table[placeOf(lows[i] ?? 0)] ?? 0;
      fetched[0] = found;
    },
  };
}

const LOAD_MAX = 0.75;
const BITS_MIN = 4;

/**
 * How many slots: so many eighths of a power of two. So the place of a hash follows from its top bits by whole numbers
 * of 32 bits alone, which is quicker than any division, and no power of two is left half empty.
 */
function sizeFor(count: number): Readonly<{ bits: number; eighths: number; size: number }> {
  const needed = Math.ceil(count / LOAD_MAX) + 1;
  const bits = Math.max(BITS_MIN, Math.ceil(Math.log2(needed)));
  const eighth = 2 ** (bits - 3);
  const eighths = Math.ceil(needed / eighth);
  return { bits, eighths, size: eighths * eighth };
}
