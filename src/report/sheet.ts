import { csvLine, spreadsheetSafe } from '../domain/files/csv.ts';

/** With this mark, spreadsheets read a file as UTF-8. Without it they garble names and comments. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Returns the header line of a file for spreadsheets. */
export const sheetHeader = (columns: readonly string[]): string =>
  `${BYTE_ORDER_MARK}${safeLine(columns)}\n`;

/** Letters and digits of most scripts. */
const LETTER = '0-9A-Za-z\\u00C0-\\u167F\\u3001-\\uD7FF';
/** Visible characters without a meaning in CSV, except at the start of a cell. */
const VISIBLE = `${LETTER}!#-+\\--:<-~`;
/** A cell that needs neither quotes nor an apostrophe: words with single spaces, or empty. */
const ORDINARY_CELL = `(?:[${LETTER}][${VISIBLE}]*(?: [${VISIBLE}]+)*)?`;

/**
 * Returns a function that joins cells with commas, or returns undefined when a cell is not ordinary.
 * One test of all cells together finds this out. Most lines are such, and writing is three times as
 * fast as with a test of every cell.
 */
function createOrdinaryJoin(columns: number): (cells: readonly string[]) => string | undefined {
  const ordinaryCells = new RegExp(`^${ORDINARY_CELL}(?:,${ORDINARY_CELL}){${columns - 1}}$`);
  return (cells) => {
    const joined = cells.join(',');
    return ordinaryCells.test(joined) ? joined : undefined;
  };
}

/** Returns a function that writes one line of such a file. No cell starts a formula. */
export function createLineWriter(columns: number): (cells: readonly string[]) => string {
  const join = createOrdinaryJoin(columns);
  return (cells) => {
    const line = join(cells);
    return line === undefined ? `${safeLine(cells)}\n` : `${line}\n`;
  };
}

/** A line in two parts. `group` names lines that often have the same last cells. */
export type TwoPartLine = Readonly<{
  group: string;
  first: readonly string[];
  last: readonly string[];
}>;

/** The last cells of a line, and their text when all are ordinary. */
type LineEnd = Readonly<{ cells: readonly string[]; text: string | undefined }>;

/**
 * Returns a function that writes the same lines as {@link createLineWriter}.
 * It tests the last cells of a line only when they differ from those of the group's line before.
 */
export function createTwoPartLineWriter(
  columns: Readonly<{ first: number; last: number }>,
): (line: TwoPartLine) => string {
  const joinFirst = createOrdinaryJoin(columns.first);
  const joinLast = createOrdinaryJoin(columns.last);
  const ends = new Map<string, LineEnd>();

  function endText({ group, last }: TwoPartLine): string | undefined {
    const known = ends.get(group);
    if (known !== undefined && areSame(known.cells, last)) return known.text;
    const text = joinLast(last);
    ends.set(group, { cells: last, text });
    return text;
  }

  return (line) => {
    const { first, last } = line;
    const start = joinFirst(first);
    const end = endText(line);
    if (start !== undefined && end !== undefined) return `${start},${end}\n`;
    // A line break in one cell puts quotes around all cells.
    const isWhole = end === undefined || first.some(hasLineBreak);
    return isWhole ? `${safeLine([...first, ...last])}\n` : `${safeLine(first)},${end}\n`;
  };
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  for (let i = 0; i < some.length; i += 1) if (some[i] !== others[i]) return false;
  return some.length === others.length;
}

const hasLineBreak = (cell: string): boolean => cell.includes('\n');

const safeLine = (cells: readonly string[]): string => csvLine(cells.map(spreadsheetSafe));
