import { type ErrorNote, noteOf } from '../../domain/errors/bursar-error.ts';
import type { RefusedRow } from '../../domain/rows/refused-row.ts';

/**
 * Why a row is refused, for the person who corrects it. `column`: `row` when it concerns the whole row. `value`: the text
 * that was read there.
 */
export type RefusedCell = ErrorNote & Readonly<{ row: number; column: string; value: string }>;

export const refusedCell = ({ row, column, code, facts, value }: RefusedRow): RefusedCell => ({
  ...noteOf(code, facts),
  row,
  column,
  value,
});
