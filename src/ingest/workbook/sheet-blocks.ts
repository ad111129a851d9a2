import { BursarError } from '../../domain/errors/bursar-error.ts';
import { type Problem, problem } from '../../domain/rows/row-rules-problem.ts';
import type { ControlLineReader } from '../control-line.ts';
import { type HeaderOptions, readHeader, type TableLayout } from '../header.ts';
import { ROW_CHARS_MAX, SHEET_BLOCK_ROWS } from '../limits.ts';
import { type RawRow, type SheetBlock, WHOLE_ROW } from '../table-block.ts';
import { cellName, quotedSheet } from './cell-names.ts';
import type { SheetCell } from './sheet-cell.ts';
import { type MergedRange, readSheetRows, type SheetPart, type SheetRow } from './sheet-rows.ts';

type SheetTable = Readonly<{
  sheet: string;
  part: SheetPart;
  controlLine: ControlLineReader;
  header: HeaderOptions;
}>;

type TableHead = Readonly<{ layout: TableLayout; headerRow: number }>;

/** Merged ranges of a sheet. Each takes about 200 bytes until the end of the sheet. */
const MERGED_MAX = 100_000;

/** A sheet joins its cells with commas where an error shows a row. */
const DELIMITER = ',';

/**
 * Reads the table of a sheet. Its first row with a value, and no control line, is the header.
 * @throws WORKBOOK_*, SHEET_CELLS_MERGED, ROW_TOO_LONG, FILE_EMPTY, CONTROL_LINE_UNREADABLE or HEADER_*.
 */
export async function* readSheetBlocks({
  sheet,
  part,
  controlLine,
  header,
}: SheetTable): AsyncGenerator<SheetBlock> {
  const { file } = header;
  let table: TableHead | undefined;
  let rows: RawRow[] = [];
  const ranges: MergedRange[] = [];
  const noteMerged = (range: MergedRange): void => {
    if (ranges.push(range) > MERGED_MAX) throw new Error('it has too many merged cells');
  };
  for await (const some of readSheetRows(part, noteMerged)) {
    for (const row of some) {
      if (row.isTooLong) {
        throw new BursarError('ROW_TOO_LONG', { file, line: row.row, maxChars: ROW_CHARS_MAX });
      }
      if (table !== undefined) {
        rows.push(rawRow(row, table.layout, sheet));
      } else if (!controlLine.takeRow(lineOf(row), row.row)) {
        table = { layout: readHeader(namesIn(row), DELIMITER, header), headerRow: row.row };
      }
    }
    if (rows.length < SHEET_BLOCK_ROWS || table === undefined) continue;
    yield blockOf(rows, table.layout);
    rows = [];
  }
  if (table === undefined) throw new BursarError('FILE_EMPTY', { file });
  const merged = ranges.find((range) => isInTable(range, table));
  if (merged !== undefined) {
    const range = `${quotedSheet(sheet)}!${merged.name}`;
    throw new BursarError('SHEET_CELLS_MERGED', { file, range });
  }
  if (rows.length > 0) yield blockOf(rows, table.layout);
}

const blockOf = (rows: readonly RawRow[], layout: TableLayout): SheetBlock => ({
  layout,
  lines: rows.map(({ line }) => line),
  rows,
});

/** The row as a line of text, as a control line is read. */
const lineOf = ({ cells }: SheetRow): string => cells.map(({ text }) => text).join(DELIMITER);

const namesIn = ({ cells }: SheetRow): readonly string[] =>
  textsOf(cells, (cells.at(-1)?.position ?? -1) + 1);

function textsOf(cells: readonly SheetCell[], width: number): string[] {
  const texts = Array.from({ length: width }, () => '');
  for (const { position, text } of cells) texts[position] = text;
  return texts;
}

/** The row as the cells of a table. Cells beyond the header stay, so that the row is refused for them. */
function rawRow({ row, isHidden, cells }: SheetRow, { width }: TableLayout, sheet: string): RawRow {
  const texts = textsOf(cells, Math.max(width, (cells.at(-1)?.position ?? 0) + 1));
  const doubts = new Map<number, Problem>();
  if (isHidden) {
    doubts.set(WHOLE_ROW, problem('SHEET_ROW_HIDDEN', { sheet: quotedSheet(sheet), row }));
  }
  for (const { position, text, doubt } of cells) {
    if (doubt === undefined) continue;
    const cell = cellName(sheet, { row, position });
    const stored = text.slice(0, STORED_CHARS_MAX);
    doubts.set(position, problem('SHEET_CELL_UNCERTAIN', { cell, kind: doubt, stored }));
  }
  const raw = { cells: texts, line: row, lineCount: 1, isAllQuoted: false };
  return doubts.size === 0 ? raw : { ...raw, doubts };
}

/** The characters of a value that an error shows. */
const STORED_CHARS_MAX = 60;

function isInTable({ first, last }: MergedRange, { layout, headerRow }: TableHead): boolean {
  const isOneCell = first.row === last.row && first.position === last.position;
  return !isOneCell && last.row >= headerRow && first.position < layout.width;
}
