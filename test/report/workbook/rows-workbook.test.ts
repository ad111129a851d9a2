import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { spreadsheetSafe } from '../../../src/domain/files/csv.ts';
import { openZip } from '../../../src/ingest/workbook/zip-parts.ts';
import { createLineWriter, sheetHeader } from '../../../src/report/sheet.ts';
import { CELL_CHARS_MAX } from '../../../src/report/workbook/cell-xml.ts';
import { rowsWorkbook, workbookName } from '../../../src/report/workbook/rows-workbook.ts';
import { anyText } from '../../support/any-text.ts';
import { workbookRows } from '../support/workbook-rows.ts';

const HEADER = ['row', 'address', 'amount', 'reference', 'name'];

const csvOf = (rows: readonly (readonly string[])[]): string =>
  sheetHeader(HEADER) + rows.map(createLineWriter(HEADER.length)).join('');

const bytesOf = (csv: string, options = {}): Promise<Buffer> =>
  buffer(rowsWorkbook(Readable.from([Buffer.from(csv)]), options));

async function partOf(bytes: Buffer, name: string): Promise<string> {
  const zip = await openZip(bytes, { file: 'rows.xlsx', partBytesMax: 2 ** 30 });
  return (await buffer(Readable.from(zip.bytes(name)))).toString();
}

const sheetOf = async (rows: readonly (readonly string[])[]): Promise<string> =>
  partOf(await bytesOf(csvOf(rows)), 'xl/worksheets/sheet1.xml');

/** What a cell becomes: characters that XML does not have are shown, and the reader has one form of line ends. */
const shown = (text: string): string =>
  spreadsheetSafe(text)
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F]/g, (character) =>
      String.fromCharCode(0x2400 + character.charCodeAt(0)),
    )
    .replace(/[\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll('\r\n', '\n');

/** Empty cells at the end of a row are not stored. */
const padded = (rows: readonly (readonly string[])[]): string[][] =>
  Array.from(rows, (row: readonly string[] | undefined) => HEADER.map((_, i) => row?.[i] ?? ''));

describe('the rows of a report as a workbook', () => {
  it('are read back as the cells of the CSV, with any content', async () => {
    const cell = fc.oneof(
      anyText({ maxLength: 8 }),
      fc.string({
        unit: fc.constantFrom(...'a ,;"\'=+-@&<>\t\r\n\u0000\u0001\u000b\ufffe_x0041_\u{1F680}'),
        maxLength: 16,
      }),
      fc.constantFrom('=1+1', "'=1+1", '_x0041_x0042_', '_x0041\r', ']]>', '0012', '1E5', '1,5'),
    );
    const amount = fc.oneof(
      cell,
      fc.stringMatching(/^(?:0|[1-9]\d{0,19})(?:\.\d{1,20})?$/),
      fc.constantFrom('0', '10.50', '0.000000000000000001', '999999999999999'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(amount, cell, amount, cell, cell), { maxLength: 6 }),
        async (rows) => {
          const read = await workbookRows(await bytesOf(csvOf(rows)));
          const all = Array.from({ length: rows.length + 1 }, (_, i) => read[i] ?? []);
          expect(padded(all)).toEqual([HEADER, ...rows.map((row) => row.map(shown))]);
        },
      ),
      { numRuns: 150, seed: 1 },
    );
  });

  it('are texts, and numbers of exactly their digits where Excel keeps them', async () => {
    const xml = await sheetOf([
      ['2', 'T1', '10.50', '123', '=1+1'],
      ['3', 'T2', '1234567890.12345', '0012', 'Ann & <Co>'],
      ['4', 'T3', '1234567890.123456', '1E5', ' x'],
    ]);
    const text = (content: string, mark = '') =>
      `t="inlineStr"><is><t${mark}>${content}</t></is></c>`;
    for (const part of [
      '<c r="A2" s="0"><v>2</v></c>',
      '<c r="C2" s="5"><v>10.50</v></c>',
      `<c r="D2" s="1" ${text('123')}`,
      `<c r="E2" s="1" ${text("'=1+1")}`,
      '<c r="C3" s="8"><v>1234567890.12345</v></c>',
      `<c r="D3" s="1" ${text('0012')}`,
      `<c r="E3" s="1" ${text('Ann &amp; &lt;Co&gt;')}`,
      `<c r="C4" s="1" ${text('1234567890.123456')}`,
      `<c r="E4" s="1" ${text(' x', ' xml:space="preserve"')}`,
    ]) {
      expect(xml).toContain(part);
    }
    expect(xml).not.toContain('<f');
    const styles = await partOf(await bytesOf(csvOf([])), 'xl/styles.xml');
    expect(styles).toContain('formatCode="#,##0.00"');
  });

  it('have a header that stays in sight and has a filter, and columns that show an address', async () => {
    const bytes = await bytesOf(csvOf([['2', 'T1', '1', '', '']]));
    const xml = await partOf(bytes, 'xl/worksheets/sheet1.xml');
    expect(xml).toContain(
      '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>',
    );
    expect(xml).toContain('<col min="2" max="2" width="50" style="1" customWidth="1"/>');
    expect(xml).toContain('<c r="B1" s="2" t="inlineStr"><is><t>address</t></is></c>');
    expect(xml).toContain('</sheetData><autoFilter ref="A1:E2"/>');
    expect(await partOf(bytes, 'xl/workbook.xml')).toContain("'Rows'!$A$1:$E$2");
  });

  it.each([
    { rows: 0, sheets: [0] },
    { rows: 3, sheets: [3] },
    { rows: 4, sheets: [3, 1] },
    { rows: 7, sheets: [3, 3, 1] },
  ])(
    'go on in a further sheet under the same header: $rows are $sheets',
    async ({ rows, sheets }) => {
      const all = Array.from({ length: rows }, (_, i) => [String(i + 2), 'T', '1', 'r', 'n']);
      const bytes = await bytesOf(csvOf(all), { sheetRowsMax: 4 });
      const read: string[][] = [];
      for (const [i, count] of sheets.entries()) {
        const sheet = await workbookRows(bytes, i === 0 ? 'Rows' : `Rows ${i + 1}`);
        expect([sheet[0], sheet.length]).toEqual([HEADER, count + 1]);
        read.push(...sheet.slice(1));
      }
      expect(read).toEqual(all);
      const next = `Rows ${sheets.length + 1}`;
      await expect(workbookRows(bytes, next)).rejects.toMatchObject({ code: 'SHEET_NOT_FOUND' });
    },
  );

  it('are a workbook also where the file is empty', async () => {
    const bytes = await bytesOf('');
    expect(await workbookRows(bytes)).toEqual([]);
    expect(await partOf(bytes, 'xl/worksheets/sheet1.xml')).not.toContain('autoFilter');
  });

  it('are the same bytes each time, of a date that says nothing', async () => {
    const csv = csvOf([['2', 'T1', '1', 'r', 'n']]);
    const bytes = await bytesOf(csv);
    expect(await bytesOf(csv)).toEqual(bytes);
    expect([bytes.readUInt16LE(10), bytes.readUInt16LE(12)]).toEqual([0, 0x21]);
  });

  it.each([
    { ends: 'as it is', length: CELL_CHARS_MAX, last: 'z', kept: CELL_CHARS_MAX, end: 'z' },
    { ends: 'with a mark', length: CELL_CHARS_MAX + 1, last: 'z', kept: CELL_CHARS_MAX, end: '…' },
    {
      ends: 'with a mark, and with no half of a character',
      length: CELL_CHARS_MAX + 1,
      last: '\u{1F680}y',
      kept: CELL_CHARS_MAX - 1,
      end: 'x…',
    },
  ])('a text of $length characters ends $ends', async ({ length, last, kept, end }) => {
    const text = 'x'.repeat(length - last.length) + last;
    const xml = await sheetOf([['2', 'T', '1', 'r', text]]);
    const [, read = ''] = /<c r="E2"[^>]*><is><t>([^<]*)</.exec(xml) ?? [];
    expect([read.length, read.endsWith(end)]).toEqual([kept, true]);
  });
});

describe('a workbook that is not read to its end', () => {
  const lines = csvOf(Array.from({ length: 50_000 }, (_, i) => [String(i), 'T', '1', 'r', 'n']));

  it('reads no more of its file, and closes it', async () => {
    const file = Readable.from([Buffer.from(lines), Buffer.from(lines)]);
    const workbook = rowsWorkbook(file);
    await once(workbook, 'readable');
    workbook.destroy();
    if (!file.closed) await once(file, 'close');
    expect(file.readableEnded).toBe(false);
  });

  it('closes a file that it has not read at all', async () => {
    const file = new PassThrough();
    rowsWorkbook(file).destroy();
    await once(file, 'close');
    expect(file.destroyed).toBe(true);
  });

  it('fails where its file fails, and never looks whole', async () => {
    const file = Readable.from(
      (async function* () {
        yield Buffer.from(lines);
        throw new Error('the disk is gone');
      })(),
    );
    await expect(buffer(rowsWorkbook(file))).rejects.toThrow('the disk is gone');
    expect(file.closed).toBe(true);
  });
});

describe('the name of a workbook', () => {
  it.each([
    ['report.csv', 'report.xlsx'],
    ['resend.csv', 'resend.xlsx'],
    ['report.json', undefined],
    ['summary.html', undefined],
  ])('for %s is %s', (file, name) => {
    expect(workbookName(file)).toBe(name);
  });
});
