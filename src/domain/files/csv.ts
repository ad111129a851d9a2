const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/** One line of a CSV file, without its line end: cells are quoted only where a reader would need it. */
export const csvLine = (cells: readonly string[]): string =>
  cells
    .map((cell) => (NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',');

/** Characters with which spreadsheets start a formula, and their full-width forms. */
const FORMULA_START = /^\s*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Whether a spreadsheet would run the cell when somebody opens the file. */
export const startsLikeFormula = (cell: string): boolean => FORMULA_START.test(cell);

/** The cell as a spreadsheet may see it: one that looks like a formula gets a leading apostrophe. */
export const spreadsheetSafe = (cell: string): string =>
  startsLikeFormula(cell) ? `'${cell}` : cell;
