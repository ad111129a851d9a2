import { type CellPlace, cellRange } from './cell-names.ts';
import type { XmlAttributes } from './read-xml.ts';

/** Ranges that are filled by one formula each. Its first cell has the formula, and the others have a result alone. */
export type FilledRanges = Readonly<{
  /** Takes the attributes of a formula. */
  add(formula: XmlAttributes): void;
  /** Whether a cell is in a range of a formula before it. Cells come in the order of the sheet. */
  has(place: CellPlace): boolean;
}>;

/** Formulas whose ranges reach over several cells. */
const SEVERAL: readonly string[] = ['array', 'dataTable'];

/** Ranges that reach into one row. */
const RANGES_MAX = 1_000;

export function createFilledRanges(): FilledRanges {
  let ranges: (readonly [first: CellPlace, last: CellPlace])[] = [];
  return {
    add({ t: type = '', ref = '' }) {
      const range = SEVERAL.includes(type) ? cellRange(ref) : undefined;
      if (range === undefined) return;
      const [{ row }] = range;
      ranges = [...ranges.filter(([, last]) => last.row >= row), range];
      if (ranges.length > RANGES_MAX) throw new Error('it has too many formulas of several cells');
    },
    has: ({ row, position }) =>
      ranges.some(
        ([first, last]) =>
          row <= last.row && position >= first.position && position <= last.position,
      ),
  };
}
