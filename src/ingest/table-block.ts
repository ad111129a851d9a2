import type { TableLayout } from './header.ts';
import { parseCells } from './parse-cells.ts';
import type { RowScan } from './scan-rows.ts';

/**
 * Complete rows of a table as text with LF line ends, and the first line of each. `nextLine`
 * follows the last row.
 */
export type TextBlock = Pick<RowScan, 'lines' | 'nextLine' | 'quotedCells'> &
  Readonly<{ layout: TableLayout; text: string }>;

/** A block, and the cells of each row. */
export type TableBlock = TextBlock & Readonly<{ cells: readonly (readonly string[])[] }>;

/** A row of a table as cells, with its first line and its number of lines. */
export type RawRow = Readonly<{
  cells: readonly string[];
  line: number;
  lineCount: number;
  /** Whether a row of several lines has all cells in quotes. */
  isAllQuoted: boolean;
}>;

/** Splits the rows of a block into cells. */
export function parseBlock(block: TextBlock): TableBlock {
  const cells = parseCells(block.text, block.layout.delimiter);
  if (cells.length !== block.lines.length)
    throw new Error('the scan and the parser count different rows');
  return { ...block, cells };
}

/** Returns the row of a block by its index. */
export function rowAt({ lines, nextLine, cells, quotedCells }: TableBlock, index: number): RawRow {
  const line = lines[index] ?? 0;
  const row = cells[index] ?? [];
  const lineCount = (lines[index + 1] ?? nextLine) - line;
  return { cells: row, line, lineCount, isAllQuoted: quotedCells.get(line) === row.length };
}
