import { ROW_CHARS_MAX, SHEET_COLUMN_MAX, SHEET_ROW_MAX } from '../limits.ts';
import { type CellPlace, cellPlace, cellRange } from './cell-names.ts';
import { createFilledRanges } from './filled-ranges.ts';
import { readPart, type Workbook } from './read-part.ts';
import type { XmlAttributes, XmlHandlers } from './read-xml.ts';
import { type CellContext, readCell, type SheetCell } from './sheet-cell.ts';
import { createTextCollector } from './text-collector.ts';

/** A row of a sheet with its cells that have a value, in order. */
export type SheetRow = Readonly<{
  row: number;
  isHidden: boolean;
  cells: readonly SheetCell[];
  /** Whether its cells have more characters than a row may have. The others are left out. */
  isTooLong: boolean;
}>;

/** A merged range of cells, by its name and its first and last cell. */
export type MergedRange = Readonly<{ name: string; first: CellPlace; last: CellPlace }>;

/** Takes the rows and the merged ranges of a sheet. */
type RowSink = Readonly<{ row(row: SheetRow): void; merged(range: MergedRange): void }>;

/** A part with a sheet, and the parts that its cells refer to. */
export type SheetPart = Readonly<{ workbook: Workbook; part: string; context: CellContext }>;

/**
 * Reads the rows of a sheet in order, a few at a time. Rows without a value are left out. `merged` takes each merged
 * range: their list follows the rows.
 * @throws WORKBOOK_UNREADABLE, WORKBOOK_TOO_LARGE
 */
export async function* readSheetRows(
  { workbook, part, context }: SheetPart,
  merged: (range: MergedRange) => void = () => undefined,
): AsyncGenerator<readonly SheetRow[]> {
  let rows: SheetRow[] = [];
  const handlers = createRowHandlers(context, { row: (row) => rows.push(row), merged });
  for await (const _ of readPart(workbook, part, handlers)) {
    if (rows.length > 0) yield rows;
    rows = [];
  }
}

/** A row while it is read. */
type OpenRow = {
  readonly row: number;
  readonly isHidden: boolean;
  readonly cells: SheetCell[];
  chars: number;
  nextPosition: number;
};

/** A cell while it is read. */
type OpenCell = {
  readonly position: number;
  readonly type: string;
  readonly style: number;
  formula: string | undefined;
  value: string | undefined;
};

/** Characters of a formula or a value. A longer one is no number, and no formula of Excel. */
const VALUE_CHARS_MAX = 32_768;

function createRowHandlers(context: CellContext, sink: RowSink): XmlHandlers {
  const inline = createTextCollector();
  const filled = createFilledRanges();
  let lastRow = 0;
  let row: OpenRow | undefined;
  let cell: OpenCell | undefined;
  let field: 'formula' | 'value' | undefined;

  /** Returns the characters of the row so far. */
  function closeCell(open: OpenCell, { row: number, cells, chars }: OpenRow): number {
    const { position } = open;
    const formula = open.formula ?? (filled.has({ row: number, position }) ? '' : undefined);
    const read = readCell({ ...open, formula, inline: inline.take() }, context);
    const length = chars + (read?.text.length ?? 0);
    if (read !== undefined && length <= ROW_CHARS_MAX) cells.push(read);
    return length;
  }

  return {
    open(name, attributes) {
      inline.open(name);
      if (name === 'row') {
        row = openRow(attributes, lastRow);
        lastRow = row.row;
      } else if (name === 'c' && row !== undefined) {
        cell = openCell(attributes, row);
        inline.begin();
      } else if (name === 'mergeCell') {
        passMerged(attributes['ref'] ?? '', sink);
      } else if (cell !== undefined && (name === 'f' || name === 'v')) {
        field = name === 'f' ? 'formula' : 'value';
        cell[field] = '';
        if (name === 'f') filled.add(attributes);
      }
    },
    text(part) {
      inline.text(part);
      if (cell === undefined || field === undefined) return;
      const text = (cell[field] ?? '') + part;
      if (text.length > VALUE_CHARS_MAX) throw new Error('a cell has too many characters');
      cell[field] = text;
    },
    close(name) {
      inline.close(name);
      if (name === 'f' || name === 'v') field = undefined;
      if (name === 'c' && cell !== undefined && row !== undefined) {
        row.chars = closeCell(cell, row);
        cell = undefined;
      }
      if (name === 'row' && row !== undefined) {
        const { row: number, isHidden, cells, chars } = row;
        const isTooLong = chars > ROW_CHARS_MAX;
        if (cells.length > 0 || isTooLong) sink.row({ row: number, isHidden, cells, isTooLong });
        row = undefined;
      }
    },
  };
}

/** Opens a row. One without a number follows the row before it. */
function openRow(attributes: XmlAttributes, lastRow: number): OpenRow {
  const number = attributes['r'] ?? String(lastRow + 1);
  const row = /^\d{1,7}$/.test(number) ? Number(number) : 0;
  if (row <= lastRow || row > SHEET_ROW_MAX)
    throw new Error(`its rows are out of order at row ${number}`);
  const isHidden = isTrue(attributes['hidden']);
  return { row, isHidden, cells: [], chars: 0, nextPosition: 0 };
}

/** Opens a cell. One without a name follows the cell before it. */
function openCell(
  { r: name, t: type = 'n', s: style = '0' }: XmlAttributes,
  row: OpenRow,
): OpenCell {
  const position = name === undefined ? row.nextPosition : (cellPlace(name)?.position ?? -1);
  const isInOrder = position >= row.nextPosition && position < SHEET_COLUMN_MAX;
  if (!isInOrder || (name !== undefined && cellPlace(name)?.row !== row.row)) {
    throw new Error(`its cells are out of order in row ${row.row}`);
  }
  row.nextPosition = position + 1;
  return { position, type, style: Number(style), formula: undefined, value: undefined };
}

const isTrue = (flag: string | undefined): boolean => flag === '1' || flag === 'true';

function passMerged(name: string, sink: RowSink): void {
  const [first, last] = cellRange(name) ?? [];
  if (first !== undefined && last !== undefined) sink.merged({ name, first, last });
}
