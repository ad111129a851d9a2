/** Remembers a whole number above zero for each pair of words, which are the two halves of a hash. */
export type PairTable = Readonly<{
  /** The value of the pair; 0 for none. */
  get(low: number, high: number): number;
  /** Remembers the value unless there is one already; returns the one that was there, or 0. */
  putIfAbsent(low: number, high: number, value: number): number;
}>;

const SLOTS_MIN = 4_096;
const LOAD_MAX = 0.75;
/** How much more than the estimate is made room for, so that a good estimate is the last. */
const RESERVE = 1.1;
const GROWTH_MIN = 1.5;

/** A slot is three words side by side: the pair, and its value; 0 for a free slot. */
const SLOT_WORDS = 3;
const VALUE_WORD = 2;

/**
 * A hash table in one array of numbers: 12 bytes a slot, about 16 a pair. It starts small and then makes room for as many
 * pairs as were expected at once, and for more only where there are more.
 */
export function createPairTable(expected: number): PairTable {
  let slots = SLOTS_MIN;
  let words = new Int32Array(slots * SLOT_WORDS);
  let used = 0;

  /** Where the slot of the pair starts, else the free one where it belongs: one half gives the place, both are compared. */
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
    const known = words[at + VALUE_WORD] ?? 0;
    if (known !== 0) return known;
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
