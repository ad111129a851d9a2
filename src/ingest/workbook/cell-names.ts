import { columnLetters, columnPosition } from '../../domain/files/column-letters.ts';
import { SHEET_COLUMN_MAX, SHEET_ROW_MAX } from '../limits.ts';

/** A place in a sheet; `position`: the column, from 0. */
export type CellPlace = Readonly<{ row: number; position: number }>;

const CELL = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/;

/** Reads a name such as `C7`. Returns undefined for none, and for one beyond the last row or column. */
export function cellPlace(name: string): CellPlace | undefined {
  const [, letters = '', digits = ''] = CELL.exec(name) ?? [];
  const position = columnPosition(letters);
  const row = Number(digits);
  const isInSheet =
    position >= 0 && position < SHEET_COLUMN_MAX && row >= 1 && row <= SHEET_ROW_MAX;
  return isInSheet ? { row, position } : undefined;
}

/** The name of a cell as a spreadsheet shows it: `Sheet1!C7`, `'My sheet'!C7`. */
export const cellName = (sheet: string, { row, position }: CellPlace): string =>
  `${quotedSheet(sheet)}!${columnLetters(position)}${row}`;

/** The name of a sheet, in quotes where a formula needs them. */
export const quotedSheet = (sheet: string): string =>
  /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(sheet) ? sheet : `'${sheet.replaceAll("'", "''")}'`;

/** A range of cells, such as `A2:A5`, by its first and last cell; undefined for none. */
export function cellRange(name: string): readonly [CellPlace, CellPlace] | undefined {
  const [from = '', to = from] = name.split(':');
  const [first, last] = [cellPlace(from), cellPlace(to)];
  return first === undefined || last === undefined ? undefined : [first, last];
}
