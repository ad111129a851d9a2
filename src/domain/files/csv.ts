const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/**
 * One row of a CSV file, without its line end: cells are quoted only where a reader needs it. In a row of several lines
 * all are quoted, which proves to a reader that no quote was left open there.
 */
export function csvLine(cells: readonly string[], delimiter = ','): string {
  const hasLines = cells.some((cell) => cell.includes('\n'));
  const needsQuotes = (cell: string): boolean =>
    hasLines || NEEDS_QUOTES.test(cell) || cell.includes(delimiter);
  return cells.map((cell) => (needsQuotes(cell) ? quoted(cell) : cell)).join(delimiter);
}

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

/**
 * Characters with which spreadsheets start a formula, their full-width forms, and control
 * characters.
 */
const FORMULA_START = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\p{Cc}]/u;

/** Whether a spreadsheet would run the cell when a person opens the file. */
export const startsLikeFormula = (cell: string): boolean => FORMULA_START.test(cell);

/**
 * Characters at which some spreadsheet starts a cell of its own: where the list separator is a semicolon or a tab, a
 * comma-separated line splits there, with or without quotes.
 */
const SPLIT = /[;\t\r\n]/;
const SPLITS = new RegExp(SPLIT, 'g');
/** Such characters and spaces, and a formula start after them. It takes each character once. */
const GAPS = /([;\s]+)([=+\-@\uFF1D\uFF0B\uFF0D\uFF20])?/g;

/** The cell as a spreadsheet may see it: an apostrophe stands wherever a formula could start. */
export function spreadsheetSafe(cell: string): string {
  // A replacement costs ten times a test, even where there is nothing to replace.
  const inside = SPLIT.test(cell) ? cell.replace(GAPS, safeGap) : cell;
  return startsLikeFormula(inside) ? `'${inside}` : inside;
}

/** Only where nothing but spaces stands before a formula could it start. */
function safeGap(gap: string, spaces: string, start: string | undefined): string {
  if (start === undefined) return gap;
  const from = Math.max(0, spaces.lastIndexOf(';'));
  return spaces.slice(0, from) + spaces.slice(from).replace(SPLITS, "$&'") + start;
}
