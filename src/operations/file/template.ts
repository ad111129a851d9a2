import { buffer } from 'node:stream/consumers';
import { columnLetters } from '../../domain/files/column-letters.ts';
import { csvLine } from '../../domain/files/csv.ts';
import { COLUMNS } from '../../domain/rows/row.ts';
import { textCell } from '../../report/workbook/cell-xml.ts';
import { TEXT_STYLE } from '../../report/workbook/styles-xml.ts';
import { partsBesideSheets, sheetPart } from '../../report/workbook/workbook-parts.ts';
import { MAIN, XML } from '../../report/workbook/xml-names.ts';
import { zipped } from '../../report/workbook/zipped.ts';

/** The header of an example file, and a row that no service pays: its address is none. */
const TEMPLATE_ROWS: readonly (readonly string[])[] = [
  COLUMNS,
  [
    'address of the recipient',
    '1234.56',
    'USDT_TRC20',
    'sent with the payout; may be empty',
    'your own; may be empty',
    'of the recipient; may be empty',
  ],
];

/** The example file as CSV. */
export const templateCsv = (): string =>
  TEMPLATE_ROWS.map((cells) => `${csvLine(cells)}\n`).join('');

/** The example file as a workbook (.xlsx). All its columns are formatted as text, so that amounts stay as they are typed. */
export const templateWorkbook = (): Promise<Buffer> =>
  buffer(zipped([{ name: sheetPart(1), content: [SHEET_XML] }, ...partsBesideSheets(SHEETS)]));

const SHEETS = [{ name: 'Payments', filtered: null }];

const rowXml = (cells: readonly string[], index: number): string =>
  `<row r="${index + 1}">${cells.map((text, i) => textCell(`${columnLetters(i)}${index + 1}`, text)).join('')}</row>`;

const SHEET_XML = `${XML}<worksheet xmlns="${MAIN}"><cols><col min="1" max="1" width="50" style="${TEXT_STYLE}" customWidth="1"/><col min="2" max="${COLUMNS.length}" width="24" style="${TEXT_STYLE}" customWidth="1"/></cols><sheetData>${TEMPLATE_ROWS.map(rowXml).join('')}</sheetData></worksheet>`;
