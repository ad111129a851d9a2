import type { RowNumber } from '../domain/rows/row.ts';
import { hashLine, newLineHash } from './line-hash.ts';

/** A row that pays the same as an earlier one, and the first such row. */
export type Duplicate = Readonly<{ row: RowNumber; firstRow: RowNumber }>;

/** Remembers rows by a hash of what they pay. */
export type DuplicateIndex = Readonly<{
  /** Takes the lines of a text, one for each of the rows, and gives the rows whose line came before. */
  take(lines: Uint8Array, rows: readonly RowNumber[]): Duplicate[];
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
  const hash = newLineHash();
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

  /** The first row with the hash; 0 when it is this one, which is then remembered. */
  function firstRow(row: RowNumber): RowNumber {
    const at = slotOf(words, hash);
    const first = words[at + ROW_WORD] ?? 0;
    if (first !== 0) return first;
    words[at] = hash[0] ?? 0;
    words[at + 1] = hash[1] ?? 0;
    words[at + ROW_WORD] = row;
    used += 1;
    if (used * SLOT_WORDS > words.length * LOAD_MAX) grow();
    return 0;
  }

  return {
    take(lines, rows) {
      const duplicates: Duplicate[] = [];
      let at = 0;
      for (const row of rows) {
        at = hashLine(lines, at, hash) + 1;
        const first = firstRow(row);
        if (first !== 0) duplicates.push({ row, firstRow: first });
      }
      return duplicates;
    },
  };
}

/** Where the slot with the hash starts, else the free one where it belongs: one half gives the place, both are compared. */
function slotOf(words: Int32Array, hash: Int32Array): number {
  const low = hash[0] ?? 0;
  const high = hash[1] ?? 0;
  const slots = words.length / SLOT_WORDS;
  let at = Math.floor(((low >>> 0) / 2 ** 32) * slots) * SLOT_WORDS;
  while (words[at + ROW_WORD] !== 0 && (words[at] !== low || words[at + 1] !== high)) {
    at += SLOT_WORDS;
    if (at === words.length) at = 0;
  }
  return at;
}
