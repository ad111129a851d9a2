/** A map from hashes to whole numbers above zero. A hash is a pair of words. */
export type PairTable = Readonly<{
  /** Returns the value of the pair, or 0. */
  get(low: number, high: number): number;
  /** Sets the value unless the pair has one. Returns the earlier value, or 0. */
  putIfAbsent(low: number, high: number, value: number): number;
}>;

const SLOTS_MIN = 4_096;
const LOAD_MAX = 0.75;
/** Reserve above the expected number, so that a good estimate needs one growth only. */
const RESERVE = 1.1;
const GROWTH_MIN = 1.5;

/** A slot has three words: the pair, and its value. A free slot has the value 0. */
const SLOT_WORDS = 3;
const VALUE_WORD = 2;

/**
 * Makes a hash table in one array of numbers, with about 16 bytes for each pair.
 * It starts small, then grows once to the expected number of pairs, and later only when needed.
 */
export function createPairTable(expected: number): PairTable {
  let slots = SLOTS_MIN;
  let words = new Int32Array(slots * SLOT_WORDS);
  let used = 0;

  /**
   * Returns the start of the pair's slot, or of its free slot. One half of the pair selects the
   * slot.
   */
  function slotOf(low: number, high: number): number {
    let at = Math.floor(((low >>> 0) / 2 ** 32) * slots) * SLOT_WORDS;
    while (words[at + VALUE_WORD] !== 0 && (words[at] !== low || words[at + 1] !== high)) {
      at += SLOT_WORDS;
      if (at === words.length) at = 0;
    }
    return at;
  }

  function grow(): void {
    const old = words;
    slots = Math.max(Math.ceil((expected * RESERVE) / LOAD_MAX), Math.ceil(slots * GROWTH_MIN));
    words = new Int32Array(slots * SLOT_WORDS);
    for (let at = 0; at < old.length; at += SLOT_WORDS) {
      if (old[at + VALUE_WORD] === 0) continue;
      const slot = old.subarray(at, at + SLOT_WORDS);
      words.set(slot, slotOf(slot[0] ?? 0, slot[1] ?? 0));
    }
  }

  function putIfAbsent(low: number, high: number, value: number): number {
    const at = slotOf(low, high);
    const existing = words[at + VALUE_WORD] ?? 0;
    if (existing !== 0) return existing;
    words[at] = low;
    words[at + 1] = high;
    words[at + VALUE_WORD] = value;
    used += 1;
    if (used > slots * LOAD_MAX) grow();
    return 0;
  }

  return {
    get: (low, high) => words[slotOf(low, high) + VALUE_WORD] ?? 0,
    putIfAbsent,
  };
}
