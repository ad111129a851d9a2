import { type DetailedNote, detailedNoteOf } from '../../domain/errors/error-details.ts';
import type { RefusedRow } from '../../domain/rows/refused-row.ts';

/**
 * Why a row is refused, for the person who corrects it. `column`: `row` when it concerns the whole row. `value`: the text
 * that was read there.
 */
export type RefusedCell = DetailedNote & Readonly<{ row: number; column: string; value: string }>;

/** Reasons for refusing rows. `first`: at least as many as are shown; `count`: how many there are. */
export type Refusals = Readonly<{ first: readonly RefusedCell[]; count: number }>;

export const refusalsOf = (rows: readonly RefusedRow[]): Refusals => ({
  first: rows.map(refusedCell),
  count: rows.length,
});

export const refusedCell = ({ row, column, code, facts, value }: RefusedRow): RefusedCell => ({
  ...detailedNoteOf(code, facts),
  row,
  column,
  value,
});
