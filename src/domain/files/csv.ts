const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/**
 * One row of a CSV file, without its line end: cells are quoted only where a reader would need it. In a row of several lines
 * all are, which proves to whoever reads it that no quote was left open there.
 */
export function csvLine(cells: readonly string[]): string {
  const hasLines = cells.some((cell) => cell.includes('\n'));
  return cells.map((cell) => (hasLines || NEEDS_QUOTES.test(cell) ? quoted(cell) : cell)).join(',');
}

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

/**
 * Characters with which spreadsheets start a formula, their full-width forms, and control
 * characters.
 */
const FORMULA_START = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\p{Cc}]/u;

/** Whether a spreadsheet would run the cell when somebody opens the file. */
export const startsLikeFormula = (cell: string): boolean => FORMULA_START.test(cell);

/**
 * Places inside a cell at which some spreadsheet starts a cell of its own: where the list separator
 * is a semicolon or a tab, a comma-separated line falls apart there, whatever is quoted.
 */
const FORMULA_INSIDE = /[;\t\r\n](?=\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/;
const FORMULAS_INSIDE = new RegExp(FORMULA_INSIDE, 'g');

/** The cell as a spreadsheet may see it: an apostrophe stands wherever a formula could start. */
export function spreadsheetSafe(cell: string): string {
  // Replacing costs ten times a look, even where there is nothing to replace.
  const inside = FORMULA_INSIDE.test(cell) ? cell.replace(FORMULAS_INSIDE, "$&'") : cell;
  return startsLikeFormula(inside) ? `'${inside}` : inside;
}
