import { columnLetters } from '../../domain/files/column-letters.ts';
import { numberCell, textCell } from './cell-xml.ts';
import { HEADER_STYLE, PLAIN_STYLE, TEXT_STYLE } from './styles-xml.ts';
import { filterRange } from './workbook-parts.ts';
import { MAIN, XML } from './xml-names.ts';

/** Columns of numbers, with the style of a cell; undefined: it follows from the decimals of the cell. All others are texts. */
const NUMBERS: ReadonlyMap<string, number | undefined> = new Map([
  ['row', PLAIN_STYLE],
  ['chunk', PLAIN_STYLE],
  ['amount', undefined],
  ['fee', undefined],
]);

/** Widths in characters. Addresses, ids and hashes are seen whole. */
const WIDTHS: Readonly<Record<string, number>> = {
  row: 10,
  chunk: 10,
  address: 50,
  amount: 22,
  fee: 22,
  comment: 30,
  reference: 24,
  name: 30,
  reason: 50,
  why: 50,
  fix: 50,
  what: 50,
  lookFor: 50,
  massPayoutId: 40,
  idempotencyKey: 40,
  withdrawalId: 40,
  transactionHash: 70,
};
const OTHER_WIDTH = 18;

type Column = Readonly<{ letters: string; isNumber: boolean; style: number | undefined }>;

/** Writes the rows of a sheet with these columns. Rows count from 1, and the first one is the header. */
export type SheetXml = Readonly<{
  start: string;
  row(cells: readonly string[], row: number): string;
  end(rows: number): string;
}>;

/** The XML of a sheet of which the header stays in sight, and has a filter. */
export function sheetXml(header: readonly string[]): SheetXml {
  const columns = header.map((name, i): Column => {
    const isNumber = NUMBERS.has(name);
    return { letters: columnLetters(i), isNumber, style: NUMBERS.get(name) };
  });
  const widths = header.map((name, i) => {
    const style = NUMBERS.has(name) ? PLAIN_STYLE : TEXT_STYLE;
    return `<col min="${i + 1}" max="${i + 1}" width="${WIDTHS[name] ?? OTHER_WIDTH}" style="${style}" customWidth="1"/>`;
  });
  const headerCells = header.map((name, i) => textCell(`${columnLetters(i)}1`, name, HEADER_STYLE));
  return {
    start: `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${widths.length === 0 ? '' : `<cols>${widths.join('')}</cols>`}<sheetData><row r="1">${headerCells.join('')}</row>`,
    row: (cells, row) => rowXml(columns, cells, row),
    end: (rows) =>
      `</sheetData>${header.length === 0 ? '' : `<autoFilter ref="${filterRange({ rows, columns: header.length })}"/>`}</worksheet>`,
  };
}

/** Empty cells are left out. */
function rowXml(columns: readonly Column[], cells: readonly string[], row: number): string {
  let xml = `<row r="${row}">`;
  for (const [i, text] of cells.entries()) {
    if (text === '') continue;
    const column = columns[i];
    const name = `${column?.letters ?? columnLetters(i)}${row}`;
    xml += column?.isNumber === true ? numberCell(name, text, column.style) : textCell(name, text);
  }
  return `${xml}</row>`;
}
