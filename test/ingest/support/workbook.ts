import { crc32, deflateRawSync } from 'node:zlib';

/** A part of an archive. `uncompressedSize` and `sum`: what the archive says of it, where that is a lie. */
export type ZipPart = Readonly<{
  name: string;
  content: string | Buffer;
  uncompressedSize?: number;
  sum?: number;
}>;

/** A zip archive as Excel writes it: deflated parts, and their list at the end. */
export function zipOf(parts: readonly ZipPart[]): Buffer {
  const locals: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const { name, content, ...lies } of parts) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(0x800, 2);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(lies.sum ?? crc32(bytes), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(lies.uncompressedSize ?? bytes.length, 18);
    head.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), head, Buffer.from(name), packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    list.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), head, place, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(Buffer.concat(list).length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, ...list, Buffer.from('PK\x05\x06'), end]);
}

/** A cell: a text, or the XML that stands in its place, as `{ xml: '<c r="A1"><v>1</v></c>' }`. */
export type TestCell = string | Readonly<{ xml: string }>;

export type TestSheet = Readonly<{
  name: string;
  rows: readonly (readonly TestCell[])[];
  state?: string;
  /** XML behind the rows. */
  after?: string;
  /** Attributes of rows by their index. */
  rowAttributes?: Readonly<Record<number, string>>;
}>;

/** A cell with a number. `style`: an index of {@link STYLES}. */
export const number = (stored: string, style = 0): TestCell => ({
  xml: `<c s="${style}"><v>${stored}</v></c>`,
});

/** A cell with a formula and its stored result. */
export const formula = (text: string, result?: string): TestCell => ({
  xml: `<c><f>${text}</f>${result === undefined ? '' : `<v>${result}</v>`}</c>`,
});

/** The styles of the workbooks, by their index: general, date, scientific, percent, and formats of their own. */
export const STYLES = {
  general: 0,
  date: 1,
  scientific: 2,
  percent: 3,
  money: 4,
  thousands: 5,
  own: 6,
};

const FORMATS = `<numFmts count="3"><numFmt numFmtId="164" formatCode="#,##0.00&quot; dmy&quot;"/>
<numFmt numFmtId="165" formatCode="#,##0,"/><numFmt numFmtId="166" formatCode="dd\\.mm\\.yyyy"/></numFmts>
<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
<cellXfs>${[0, 14, 11, 10, 164, 165, 166].map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs>`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const relationsXml = (
  relations: readonly (readonly [id: string, type: string, target: string])[],
) =>
  `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations
    .map(
      ([id, type, target]) =>
        `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

/** The parts of a workbook, for tests that change one of them. Texts are shared, as Excel writes them. */
export function workbookParts(sheets: readonly TestSheet[]): ZipPart[] {
  const texts: string[] = [];
  const cellXml = (cell: TestCell): string => {
    if (typeof cell !== 'string') return cell.xml;
    if (cell === '') return '<c s="1"/>';
    texts.push(cell);
    return `<c t="s"><v>${texts.length - 1}</v></c>`;
  };
  const sheetXml = ({ rows, after = '', rowAttributes = {} }: TestSheet): string =>
    `${HEAD}<worksheet ${MAIN}><sheetData>${rows
      .map((cells, i) =>
        cells.length === 0
          ? ''
          : `<row r="${i + 1}" ${rowAttributes[i] ?? ''}>${cells.map(cellXml).join('')}</row>`,
      )
      .join('')}</sheetData>${after}</worksheet>`;
  const sheetParts = sheets.map((sheet, i) => ({
    name: `xl/worksheets/sheet${i + 1}.xml`,
    content: sheetXml(sheet),
  }));
  return [
    { name: '[Content_Types].xml', content: `${HEAD}<Types/>` },
    { name: '_rels/.rels', content: relationsXml([['rId1', 'officeDocument', 'xl/workbook.xml']]) },
    {
      name: 'xl/workbook.xml',
      content: `${HEAD}<workbook ${MAIN} xmlns:r="${RELATIONS}"><sheets>${sheets
        .map(
          ({ name, state }, i) =>
            `<sheet name="${escaped(name)}" sheetId="${i + 1}" ${state === undefined ? '' : `state="${state}"`} r:id="rId${i + 1}"/>`,
        )
        .join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relationsXml([
        ...sheets.map(
          (_, i) => [`rId${i + 1}`, 'worksheet', `worksheets/sheet${i + 1}.xml`] as const,
        ),
        ['rId90', 'sharedStrings', '/xl/sharedStrings.xml'],
        ['rId91', 'styles', 'styles.xml'],
      ]),
    },
    ...sheetParts,
    {
      name: 'xl/sharedStrings.xml',
      content: `${HEAD}<sst ${MAIN}>${texts
        .map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`)
        .join('')}</sst>`,
    },
    { name: 'xl/styles.xml', content: `${HEAD}<styleSheet ${MAIN}>${FORMATS}</styleSheet>` },
  ];
}

/** A workbook (.xlsx). */
export const workbookOf = (...sheets: readonly TestSheet[]): Buffer => zipOf(workbookParts(sheets));

/** A workbook of one sheet, which is called Sheet1. */
export const sheetOf = (
  rows: readonly (readonly TestCell[])[],
  sheet: Partial<TestSheet> = {},
): Buffer => workbookOf({ name: 'Sheet1', rows, ...sheet });
