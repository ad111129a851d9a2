import { csvLine, spreadsheetSafe } from '../domain/files/csv.ts';

/**
 * Tells spreadsheets that a file is UTF-8; without it they read names and comments as Latin
 * letters.
 */
const BYTE_ORDER_MARK = '\uFEFF';

/** The first line of a file that people open in spreadsheets. */
export const sheetHeader = (columns: readonly string[]): string =>
  `${BYTE_ORDER_MARK}${safeLine(columns)}`;

/** Letters and digits of most scripts. */
const LETTER = '0-9A-Za-z\\u00C0-\\u167F\\u3001-\\uD7FF';
/**
 * Visible characters that mean nothing to a reader of CSV, wherever in a cell they stand but at its
 * start.
 */
const VISIBLE = `${LETTER}!#-+\\--:<-~`;
/**
 * A cell that needs neither quotes nor an apostrophe: words with single spaces between them, or
 * nothing.
 */
const ORDINARY_CELL = `(?:[${LETTER}][${VISIBLE}]*(?: [${VISIBLE}]+)*)?`;

/**
 * Writes lines of such a file: no cell of it can start a formula. Most lines hold ordinary cells
 * alone, which one look at the whole line can tell; that makes writing three times as fast as a
 * look at every cell.
 */
export function createLineWriter(columns: number): (cells: readonly string[]) => string {
  const ordinaryLine = new RegExp(`^${ORDINARY_CELL}(?:,${ORDINARY_CELL}){${columns - 1}}$`);
  return (cells) => {
    const line = cells.join(',');
    return ordinaryLine.test(line) ? `${line}\n` : safeLine(cells);
  };
}

const safeLine = (cells: readonly string[]): string => `${csvLine(cells.map(spreadsheetSafe))}\n`;
