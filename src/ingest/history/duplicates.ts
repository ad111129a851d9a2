import { PART, PRINT_WORDS } from '../../domain/plan/row-print.ts';
import type { RowNumber } from '../../domain/rows/row.ts';
import { addKey, bitOfKey, createBloomFilter } from './bloom-filter.ts';
import type { BatchSegment } from './batch-fingerprints.ts';
import { createRowList } from './row-kinds.ts';

/**
 * Finds rows of a batch that repeat an earlier row of it. It reads all rows twice.
 * The first pass collects the few rows with a possible earlier copy. The second pass compares them.
 */
export type Duplicates = Readonly<{
  /** First pass: adds rows of the batch, in file order. */
  add(segment: BatchSegment): void;
  /**
   * Second pass: pass all rows again, in the same order. It calls `found` for each repeated row.
   */
  finder(found: (row: RowNumber, firstRow: RowNumber) => void): (segment: BatchSegment) => void;
}>;

export function createDuplicates(count: number): Duplicates {
  const hashes = createBloomFilter(count);
  const suspects = createRowList();
  return {
    add({ prints }) {
      for (let at = 0; at < prints.length; at += PRINT_WORDS) {
        const hash = prints[at + PART.row] ?? 0;
        if (bitOfKey(hashes.words, hashes.mask, hash) === 1) suspects.add(prints, at);
        else addKey(hashes, hash);
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
