import { csvLine } from '../../domain/files/csv.ts';
import { COLUMNS } from '../../domain/rows/row.ts';
import { storedZip, type StoredPart } from './stored-zip.ts';

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

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const SCHEMAS = 'http://schemas.openxmlformats.org';
const MAIN = `${SCHEMAS}/spreadsheetml/2006/main`;
const RELATION = `${SCHEMAS}/officeDocument/2006/relationships`;
const PACKAGE = `${SCHEMAS}/package/2006`;
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The example file as a workbook (.xlsx). All its columns are formatted as text, so that amounts stay as they are typed. */
export const templateWorkbook = (): Buffer => storedZip(PARTS);

/** The number of the format "text". */
const TEXT_FORMAT = 49;

const FONT = '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>';
const FILLS =
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>';
const BORDERS =
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>';
const STYLES = `<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="${TEXT_FORMAT}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>`;

const cellXml = (text: string): string => `<c s="1" t="inlineStr"><is><t>${text}</t></is></c>`;

const rowXml = (cells: readonly string[], index: number): string =>
  `<row r="${index + 1}">${cells.map(cellXml).join('')}</row>`;

const PARTS: readonly StoredPart[] = [
  {
    name: '[Content_Types].xml',
    text: `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${CONTENT}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/></Types>`,
  },
  {
    name: '_rels/.rels',
    text: `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATION}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  },
  {
    name: 'xl/workbook.xml',
    text: `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATION}"><sheets><sheet name="Payments" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  },
  {
    name: 'xl/_rels/workbook.xml.rels',
    text: `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATION}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATION}/styles" Target="styles.xml"/></Relationships>`,
  },
  {
    name: 'xl/worksheets/sheet1.xml',
    text: `${XML}<worksheet xmlns="${MAIN}"><cols><col min="1" max="1" width="50" style="1" customWidth="1"/><col min="2" max="${COLUMNS.length}" width="24" style="1" customWidth="1"/></cols><sheetData>${TEMPLATE_ROWS.map(rowXml).join('')}</sheetData></worksheet>`,
  },
  {
    name: 'xl/styles.xml',
    text: `${XML}<styleSheet xmlns="${MAIN}">${FONT}${FILLS}${BORDERS}${STYLES}</styleSheet>`,
  },
];
