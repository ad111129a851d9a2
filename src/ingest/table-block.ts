import type { RowNumber } from '../domain/rows/row.ts';
import type { Problem } from '../domain/rows/row-rules-problem.ts';
import type { TableLayout } from './header.ts';
import type { RowScan } from './scan-rows.ts';
import { splitRow } from './split-row.ts';

/** Complete rows of a table. `lines`: the first line of each. */
export type TableBlock = TextBlock | SheetBlock;

/**
 * Complete rows of a table as text with LF line ends, and the first line of each. `nextLine`
 * follows the last row.
 */
export type TextBlock = Pick<RowScan, 'lines' | 'nextLine' | 'quotedCells'> &
  Readonly<{ layout: TableLayout; text: string }>;

/** Rows of a sheet. */
export type SheetBlock = Readonly<{
  layout: TableLayout;
  lines: readonly RowNumber[];
  rows: readonly RawRow[];
}>;

/** A row of a table as cells, with its first line and its number of lines. */
export type RawRow = Readonly<{
  cells: readonly string[];
  line: number;
  lineCount: number;
  /** Whether a row of several lines has all cells in quotes. */
  isAllQuoted: boolean;
  /** The doubts about a row of a sheet; missing where there are none. */
  doubts?: RowDoubts;
}>;

/** The doubts about a row of a sheet, by the position of the cell; see {@link WHOLE_ROW}. */
export type RowDoubts = ReadonlyMap<number, Problem>;

/** The position of a doubt about a whole row. */
export const WHOLE_ROW = -1;

/**
 * Returns a function that returns the next row of a block. Cells of a whole block would live long
 * enough to be copied by the garbage collector.
 */
export function createRowCursor(block: TableBlock): () => RawRow {
  if ('text' in block) return createTextCursor(block);
  const rows = block.rows.values();
  return () => rows.next().value ?? NO_ROW;
}

const NO_ROW: RawRow = { cells: [], line: 0, lineCount: 1, isAllQuoted: false };

function createTextCursor(block: TextBlock): () => RawRow {
  const { text, lines, nextLine, quotedCells, layout } = block;
  let [index, start] = [0, 0];
  return () => {
    const line = lines[index] ?? nextLine;
    const lineCount = (lines[index + 1] ?? nextLine) - line;
    const end = endOfLines(text, start, lineCount);
    const cells = splitRow(text.slice(start, end), layout.delimiter);
    index += 1;
    start = end + 1;
    const isAllQuoted = lineCount > 1 && quotedCells.get(line) === cells.length;
    return { cells, line, lineCount, isAllQuoted };
  };
}

/** Returns where the last of some lines ends. */
function endOfLines(text: string, start: number, count: number): number {
  let end = start - 1;
  for (let line = 0; line < count; line += 1) end = text.indexOf('\n', end + 1);
  return end;
}
