import { SHEET_COLUMN_MAX, SHEET_ROW_MAX } from '../limits.ts';

/** A place in a sheet; `position`: the column, from 0. */
export type CellPlace = Readonly<{ row: number; position: number }>;

const LETTERS = 26;
const CODE_OF_A = 65;
const CELL = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/;

/** Reads a name such as `C7`. Returns undefined for none, and for one beyond the last row or column. */
export function cellPlace(name: string): CellPlace | undefined {
  const [, letters = '', digits = ''] = CELL.exec(name) ?? [];
  const column = [...letters].reduce(
    (number, letter) => number * LETTERS + letter.charCodeAt(0) - CODE_OF_A + 1,
    0,
  );
  const row = Number(digits);
  const isInSheet = column >= 1 && column <= SHEET_COLUMN_MAX && row >= 1 && row <= SHEET_ROW_MAX;
  return isInSheet ? { row, position: column - 1 } : undefined;
}

/** The letters of a column, from 0. */
function columnLetters(position: number): string {
  const letter = String.fromCharCode(CODE_OF_A + (position % LETTERS));
  return position < LETTERS ? letter : columnLetters(Math.floor(position / LETTERS) - 1) + letter;
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
