import type { RowNumber } from '../../domain/rows/row.ts';

/** The location of a similar row or address. `row` is 0 when the source alone names it. */
export type MatchLocation = Readonly<{ source: string; row: RowNumber }>;

/** The rows of the batch with a similar row or address elsewhere, by row index. */
export type RowMatches = Readonly<{
  /** Adds a match. The first match of a row stays. */
  add(index: number, location: MatchLocation): void;
  /** Returns the text of the location, or undefined for a row without a match. */
  textOf(index: number): string | undefined;
}>;

/** Takes no memory before the first match, and 8 bytes for each row after it. */
export function createRowMatches(count: number): RowMatches {
  const sources: string[] = [];
  const positions = new Map<string, number>();
  let sourceOf = new Int32Array(0);
  let rowOf = new Int32Array(0);
  return {
    add(index, { source, row }) {
      if (sources.length === 0) [sourceOf, rowOf] = [new Int32Array(count), new Int32Array(count)];
      if (sourceOf[index] !== 0) return;
      const position = positions.get(source) ?? sources.push(source);
      positions.set(source, position);
      sourceOf[index] = position;
      rowOf[index] = row;
    },
    textOf(index) {
      const position = sourceOf[index] ?? 0;
      if (position === 0) return undefined;
      const source = sources[position - 1];
      const row = rowOf[index] ?? 0;
      return row === 0 ? source : `row ${row} of ${source}`;
    },
  };
}
