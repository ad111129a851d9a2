import { PART, PRINT_WORDS } from '../../domain/plan/row-print.ts';
import type { RowNumber } from '../../domain/rows/row.ts';
import type { OwnPrints } from './own-prints.ts';

/** A row of the batch, by its index, that pays the same as a row of another one. */
export type Repeat = Readonly<{ index: number; row: RowNumber }>;

/** Finds what a batch has in common with others, one after the other. */
export type Repeats = Readonly<{
  /** Takes the print of the other batch that begins at `at`. */
  take(prints: Int32Array, at: number): void;
  /** Repeats so far in the other batch. */
  count(): number;
  /**
   * Ends the other batch; calls `found` with each repeat. A row that stands several times in both counts as often as in
   * the one that has it less often.
   */
  close(found: (repeat: Repeat) => void): void;
}>;

/** No further row of the batch pays the same. */
const USED_UP = -1;

/** Needs no room before the first print is taken. */
export function createRepeats(own: OwnPrints): Repeats {
  let repeats: Repeats | undefined;
  return {
    take: (prints, at) => (repeats ??= openRepeats(own)).take(prints, at),
    count: () => repeats?.count() ?? 0,
    close: (found) => repeats?.close(found),
  };
}

function openRepeats(own: OwnPrints): Repeats {
  const firsts = createRowTable(own);
  /** For each row the next one that pays the same, as its index plus 1; 0 for none. */
  const nextSame = new Int32Array(own.count);
  /** For the first of equal rows: the last of them; later the next one to be matched, as its index plus 1. 0: itself. */
  const place = new Int32Array(own.count);
  for (let index = 0; index < own.count; index++) {
    const first = firsts.add(index);
    if (first === index) continue;
    nextSame[place[first] || first] = index + 1;
    place[first] = index;
  }
  place.fill(0);
  let matched: number[] = [];
  let rows: number[] = [];
  let firstsMatched: number[] = [];

  return {
    take(prints, at) {
      const first = firsts.find(prints, at);
      const free = place[first];
      if (free === undefined || free === USED_UP) return;
      const index = free === 0 ? first : free - 1;
      place[first] = nextSame[index] || USED_UP;
      matched.push(index);
      rows.push(prints[at + PART.number] ?? 0);
      firstsMatched.push(first);
    },
    count: () => matched.length,
    close(found) {
      matched.forEach((index, i) => found({ index, row: rows[i] ?? 0 }));
      for (const first of firstsMatched) place[first] = 0;
      [matched, rows, firstsMatched] = [[], [], []];
    },
  };
}

/** Rows of the batch by what they pay. It holds indexes alone, and looks at the prints themselves. */
function createRowTable({ count, words }: OwnPrints) {
  const size = 2 ** Math.ceil(Math.log2(2 * count + 1));
  const table = new Int32Array(size);

  /** Where the first row with the hash stands, as its index plus 1, else the free place where it belongs. */
  function placeOf(prints: Int32Array, at: number): number {
    const low = prints[at + PART.row] ?? 0;
    const high = prints[at + PART.row + 1] ?? 0;
    let place = low & (size - 1);
    for (let index = table[place]; index !== 0; index = table[place]) {
      const other = ((index ?? 0) - 1) * PRINT_WORDS + PART.row;
      if (words[other] === low && words[other + 1] === high) break;
      place = (place + 1) & (size - 1);
    }
    return place;
  }

  return {
    /** Adds a row, unless there is one that pays the same; gives the one that is there then. */
    add(index: number): number {
      const place = placeOf(words, index * PRINT_WORDS);
      if (table[place] === 0) table[place] = index + 1;
      return (table[place] ?? 0) - 1;
    },
    /** The first row that pays what a print pays; -1 for none. */
    find: (prints: Int32Array, at: number): number => (table[placeOf(prints, at)] ?? 0) - 1,
  };
}
