import { PART, PRINT_WORDS } from '../../domain/plan/row-print.ts';
import type { RowNumber } from '../../domain/rows/row.ts';
import { addKey, bitOfKey, createBitFilter } from './bit-filter.ts';
import type { OwnSegment } from './own-prints.ts';
import { createRowList } from './row-kinds.ts';

/**
 * Finds rows of a batch that repeat an earlier payment of it. All rows are read twice: at first those are noted that
 * may repeat an earlier one, which are few, and only they are compared.
 */
export type Duplicates = Readonly<{
  /** Takes rows of the batch, in the order of the file. */
  add(segment: OwnSegment): void;
  /** Takes all rows again, in the same order; calls `found` with each that repeats an earlier one. */
  finder(found: (row: RowNumber, firstRow: RowNumber) => void): (segment: OwnSegment) => void;
}>;

export function createDuplicates(count: number): Duplicates {
  const seen = createBitFilter(count);
  const suspects = createRowList();
  return {
    add({ prints }) {
      for (let at = 0; at < prints.length; at += PRINT_WORDS) {
        const hash = prints[at + PART.row] ?? 0;
        if (bitOfKey(seen.words, seen.mask, hash) === 1) suspects.add(prints, at);
        else addKey(seen, hash);
      }
    },
    finder(found) {
      const { kindOf } = suspects.kinds();
      const firstRows = new Int32Array(suspects.count() + 1);
      return ({ prints }) => {
        for (let at = 0; at < prints.length; at += PRINT_WORDS) {
          const kind = kindOf(prints, at);
          if (kind === 0) continue;
          const row = prints[at + PART.number] ?? 0;
          const firstRow = firstRows[kind] ?? 0;
          if (firstRow === 0) firstRows[kind] = row;
          else found(row, firstRow);
        }
      };
    },
  };
}
