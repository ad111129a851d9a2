import type { RowNumber } from '../domain/rows/row.ts';
import { hashKey, newKeyHash } from './key-hash.ts';

/** Remembers rows by a hash of what they pay. */
export type DuplicateIndex = Readonly<{
  /** The first row with the same texts; undefined when `row` is that row, which is then remembered. */
  firstRow(texts: readonly string[], row: RowNumber): RowNumber | undefined;
}>;

const SLOTS_MIN = 4_096;
const LOAD_MAX = 0.75;
/** How much more than the estimate is made room for, so that a good estimate is the last. */
const RESERVE = 1.1;
const GROWTH_MIN = 1.5;

/** A slot is three words side by side: both halves of a hash, and the row; 0 for a free slot, as no row is in line 0. */
const SLOT_WORDS = 3;
const ROW_WORD = 2;

/**
 * A hash table in one array of numbers: 12 bytes a slot, about 16 a row. `expectedRows` is asked when the table grows, so
 * that one that fits the whole file is made early, instead of ever larger ones.
 */
export function createDuplicateIndex(expectedRows: () => number): DuplicateIndex {
  const hash = newKeyHash();
  let words = new Int32Array(SLOTS_MIN * SLOT_WORDS);
  let used = 0;

  function grow(): void {
    const old = words;
    const slots = Math.max(
      Math.ceil((expectedRows() * RESERVE) / LOAD_MAX),
      Math.ceil((old.length / SLOT_WORDS) * GROWTH_MIN),
    );
    words = new Int32Array(slots * SLOT_WORDS);
    for (let at = 0; at < old.length; at += SLOT_WORDS) {
      if (old[at + ROW_WORD] === 0) continue;
      const slot = old.subarray(at, at + SLOT_WORDS);
      words.set(slot, slotOf(words, slot));
    }
  }

  return {
    firstRow(texts, row) {
      hashKey(texts, hash);
      const at = slotOf(words, hash);
      const first = words[at + ROW_WORD];
      if (first !== 0) return first;
      words.set(hash, at);
      words[at + ROW_WORD] = row;
      used += 1;
      if (used * SLOT_WORDS > words.length * LOAD_MAX) grow();
      return undefined;
    },
  };
}

/** Where the slot with the hash starts, else the free one where it belongs: one half gives the place, both are compared. */
function slotOf(words: Int32Array, hash: Int32Array): number {
  const [low = 0, high = 0] = hash;
  const slots = words.length / SLOT_WORDS;
  let at = Math.floor(((low >>> 0) / 2 ** 32) * slots) * SLOT_WORDS;
  while (words[at + ROW_WORD] !== 0 && (words[at] !== low || words[at + 1] !== high)) {
    at += SLOT_WORDS;
    if (at === words.length) at = 0;
  }
  return at;
}
