import { PART } from '../../domain/plan/row-print.ts';
import { addKey, bitOfKey, createBloomFilter } from './bloom-filter.ts';
import { createPairTable } from './pair-table.ts';

/** A list of rows, with 12 bytes for each: both halves of the row's hash, and its number. */
export type RowList = Readonly<{
  /** Adds the row whose fingerprint begins at `prints[at]`. */
  add(prints: Int32Array, at: number): void;
  count(): number;
  numberOf(index: number): number;
  /** Groups equal rows. Add no row after it. */
  kinds(): RowKinds;
}>;

/** Groups of equal rows. A kind is a number from 1 to the number of rows. */
export type RowKinds = Readonly<{
  /** The kind of each row of the list. */
  ofRows: Int32Array;
  /** Returns the kind of a fingerprint, or 0 when the list has no such row. */
  kindOf(prints: Int32Array, at: number): number;
}>;

const ROW_WORDS = 3;
const NUMBER = 2;
const INITIAL_ROWS = 1_024;

export function createRowList(): RowList {
  let words = new Int32Array(INITIAL_ROWS * ROW_WORDS);
  let count = 0;
  return {
    add(prints, at) {
      const to = count * ROW_WORDS;
      if (to === words.length) words = twiceAsLong(words);
      words[to] = prints[at + PART.row] ?? 0;
      words[to + 1] = prints[at + PART.row + 1] ?? 0;
      words[to + NUMBER] = prints[at + PART.number] ?? 0;
      count += 1;
    },
    count: () => count,
    numberOf: (index) => words[index * ROW_WORDS + NUMBER] ?? 0,
    kinds: () => kindsOf(words, count),
  };
}

function twiceAsLong(words: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(2 * words.length);
  longer.set(words);
  return longer;
}

function kindsOf(words: Int32Array, count: number): RowKinds {
  const table = createPairTable(count);
  const filter = createBloomFilter(count);
  const ofRows = new Int32Array(count);
  for (let i = 0, at = 0; i < count; i++, at += ROW_WORDS) {
    const low = words[at] ?? 0;
    ofRows[i] = table.putIfAbsent(low, words[at + 1] ?? 0, i + 1) || i + 1;
    addKey(filter, low);
  }
  return {
    ofRows,
    kindOf(prints, at) {
      const low = prints[at + PART.row] ?? 0;
      if (bitOfKey(filter.words, filter.mask, low) === 0) return 0;
      return table.get(low, prints[at + PART.row + 1] ?? 0);
    },
  };
}
