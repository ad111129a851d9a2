import type { RowNumber } from '../../domain/rows/row.ts';

/** Where a row of the batch was found elsewhere; `row` is 0 where the source is enough. */
export type SeenRow = Readonly<{ source: string; row: RowNumber }>;

/** Rows of the batch, by index, of which something was seen elsewhere. */
export type Marks = Readonly<{
  /** The first mark stays. */
  mark(index: number, seen: SeenRow): void;
  /** Where it was seen, in words; undefined for a row that has no mark. */
  textOf(index: number): string | undefined;
}>;

/** Needs no room before the first mark, and 8 bytes a row from then on. */
export function createMarks(count: number): Marks {
  const sources: string[] = [];
  const places = new Map<string, number>();
  let sourceOf = new Int32Array(0);
  let rowOf = new Int32Array(0);
  return {
    mark(index, { source, row }) {
      if (sources.length === 0) [sourceOf, rowOf] = [new Int32Array(count), new Int32Array(count)];
      if (sourceOf[index] !== 0) return;
      const place = places.get(source) ?? sources.push(source);
      places.set(source, place);
      sourceOf[index] = place;
      rowOf[index] = row;
    },
    textOf(index) {
      const place = sourceOf[index] ?? 0;
      if (place === 0) return undefined;
      const source = sources[place - 1];
      const row = rowOf[index] ?? 0;
      return row === 0 ? source : `row ${row} of ${source}`;
    },
  };
}
