import { PART, PRINT_WORDS } from '../../domain/plan/row-print.ts';
import type { RowNumber } from '../../domain/rows/row.ts';
import { createPairTable } from '../pair-table.ts';
import type { OwnPrints } from './own-prints.ts';

/** A row of the batch, by its index, that pays the same as a row of another one. */
export type Repeat = Readonly<{ index: number; row: RowNumber }>;

/** Finds what a batch has in common with others, one after the other. */
export type Repeats = Readonly<{
  /** Takes prints of the other batch. */
  take(prints: Int32Array): void;
  /**
   * Ends the other batch; calls `found` with each repeat. A row that stands several times in both counts as often as in
   * the one that has it less often.
   */
  close(found: (repeat: Repeat) => void): void;
  /** Repeats so far in the other batch. */
  count(): number;
}>;

/** No further row of the batch pays the same. */
const USED_UP = -1;

export function createRepeats(own: OwnPrints): Repeats {
  const firsts = createPairTable(() => own.count);
  /** For each row the next one that pays the same, as its index plus 1; 0 for none. */
  const nextSame = new Int32Array(own.count);
  for (let index = own.count - 1; index >= 0; index--) {
    const at = index * PRINT_WORDS + PART.row;
    const later = firsts.replace(own.words[at] ?? 0, own.words[at + 1] ?? 0, index + 1);
    nextSame[index] = later;
  }
  /** For the first of equal rows the next one to be matched, as its index plus 1; 0 while that is itself. */
  const nextFree = new Int32Array(own.count);
  let matched: number[] = [];
  let firstsMatched: number[] = [];
  let rows: number[] = [];

  return {
    take(prints) {
      for (let at = 0; at < prints.length; at += PRINT_WORDS) {
        const first = firsts.get(prints[at + PART.row] ?? 0, prints[at + PART.row + 1] ?? 0);
        if (first === 0) continue;
        const free = nextFree[first - 1] ?? 0;
        if (free === USED_UP) continue;
        const index = (free === 0 ? first : free) - 1;
        nextFree[first - 1] = nextSame[index] || USED_UP;
        matched.push(index);
        firstsMatched.push(first - 1);
        rows.push(prints[at + PART.number] ?? 0);
      }
    },
    count: () => matched.length,
    close(found) {
      matched.forEach((index, i) => found({ index, row: rows[i] ?? 0 }));
      for (const first of firstsMatched) nextFree[first] = 0;
      [matched, firstsMatched, rows] = [[], [], []];
    },
  };
}
