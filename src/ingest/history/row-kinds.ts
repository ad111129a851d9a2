import { PART } from '../../domain/plan/row-print.ts';
import { addKey, bitOfKey, createBitFilter } from './bit-filter.ts';
import { createPairTable } from './pair-table.ts';

/** Rows by their payments, in no more than 12 bytes each: both halves of the hash of a row, and its number. */
export type RowList = Readonly<{
  /** Takes the row whose print begins at `at`. */
  add(prints: Int32Array, at: number): void;
  count(): number;
  numberOf(place: number): number;
  /** No row may be added after that. */
  kinds(): RowKinds;
}>;

/** Equal rows are of one kind, a number from 1 up to the count of rows. */
export type RowKinds = Readonly<{
  /** The kind of each row of the list. */
  ofRows: Int32Array;
  /** The kind of any print; 0 when the list has no such row. */
  kindOf(prints: Int32Array, at: number): number;
}>;

const ROW_WORDS = 3;
const NUMBER = 2;
const ROWS_AT_FIRST = 1_024;

export function createRowList(): RowList {
  let words = new Int32Array(ROWS_AT_FIRST * ROW_WORDS);
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
    numberOf: (place) => words[place * ROW_WORDS + NUMBER] ?? 0,
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
  const filter = createBitFilter(count);
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
