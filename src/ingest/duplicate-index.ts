import { PART, PRINT_WORDS } from '../domain/plan/row-print.ts';
import type { RowNumber } from '../domain/rows/row.ts';
import { createPairTable } from './pair-table.ts';

/** A row that pays the same as an earlier one, and the first such row. */
export type Duplicate = Readonly<{ row: RowNumber; firstRow: RowNumber }>;

/** Remembers rows by the hash of what they pay. */
export type DuplicateIndex = Readonly<{
  /** Takes prints of rows, in the order of the file, and gives the rows that pay what an earlier one paid. */
  take(prints: Int32Array): Duplicate[];
}>;

/** `expectedRows`: a guess at how many rows there will be. */
export function createDuplicateIndex(expectedRows: () => number): DuplicateIndex {
  const firstRows = createPairTable(expectedRows);
  return {
    take(prints) {
      const duplicates: Duplicate[] = [];
      for (let at = 0; at < prints.length; at += PRINT_WORDS) {
        const row = prints[at + PART.number] ?? 0;
        const firstRow = firstRows.putIfAbsent(
          prints[at + PART.row] ?? 0,
          prints[at + PART.row + 1] ?? 0,
          row,
        );
        if (firstRow !== 0) duplicates.push({ row, firstRow });
      }
      return duplicates;
    },
  };
}
