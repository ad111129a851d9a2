import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { UNPACK_RATIO_FREE_BYTES } from '../../../src/ingest/limits.ts';
import { ingestText, refusalOf, TRON } from '../support/ingest.ts';
import { number, sheetOf, workbookParts, zipOf, type ZipPart } from '../support/workbook.ts';

const ROWS = [
  ['address', 'amount', 'currency'],
  [TRON, number('5'), 'TRX'],
];
const PARTS = workbookParts([{ name: 'Sheet1', rows: ROWS }]);
const SHEET = 'xl/worksheets/sheet1.xml';

/** The workbook with one part changed, or left out. */
const changed = (name: string, change: (part: ZipPart) => ZipPart | undefined): Buffer =>
  zipOf(PARTS.flatMap((part) => (part.name === name ? (change(part) ?? []) : part)));

const withSheet = (rows: string): Buffer =>
  changed(SHEET, ({ name }) => ({
    name,
    content: `<worksheet><sheetData><row r="1"><c t="inlineStr"><is><t>address</t></is></c><c t="inlineStr"><is><t>amount</t></is></c><c t="inlineStr"><is><t>currency</t></is></c></row>${rows}</sheetData></worksheet>`,
  }));

describe('a file in another format', () => {
  const ole = (text: string) =>
    Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(5_000),
      Buffer.from(text, 'utf16le'),
    ]);
  const zipWith = (...names: string[]) => zipOf(names.map((name) => ({ name, content: 'x' })));

  it.each<{ what: string; file: Buffer; format: string }>`
    what                          | file                                                                                        | format
    ${'a workbook with password'} | ${ole('EncryptedPackage')}                                                                  | ${'password'}
    ${'an old workbook'}          | ${ole('Workbook')}                                                                          | ${'xls'}
    ${'a binary workbook'}        | ${zipWith('[Content_Types].xml', 'xl/workbook.bin')}                                        | ${'xlsb'}
    ${'a Word document'}          | ${zipWith('[Content_Types].xml', 'word/document.xml')}                                      | ${'document'}
    ${'a Numbers document'}       | ${zipWith('Index/Document.iwa')}                                                            | ${'numbers'}
    ${'a zip of a CSV'}           | ${zipWith('payouts.csv')}                                                                   | ${'zip'}
    ${'an OpenDocument sheet'}    | ${zipOf([{ name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet' }])} | ${'ods'}
    ${'an empty zip'}             | ${zipOf([])}                                                                                | ${'zip'}
  `('is refused by its name: $what', async ({ file, format }) => {
    await expect(ingestText(file)).rejects.toMatchObject({
      code: 'FILE_FORMAT',
      facts: { format },
    });
  });
});

describe('a damaged workbook', () => {
  const whole = sheetOf(ROWS);

  it.each<{ what: string; file: Buffer }>`
    what                                | file
    ${'cut off'}                        | ${whole.subarray(0, -30)}
    ${'cut off in the middle'}          | ${whole.subarray(0, whole.length / 2)}
    ${'without its start'}              | ${Buffer.concat([Buffer.from('PK\x03\x04'), whole.subarray(60)])}
    ${'with a wrong checksum'}          | ${changed(SHEET, (part) => ({ ...part, sum: 1 }))}
    ${'without its sheet'}              | ${changed(SHEET, () => undefined)}
    ${'without its relations'}          | ${changed('_rels/.rels', () => undefined)}
    ${'without the text of a cell'}     | ${changed('xl/sharedStrings.xml', (part) => ({ ...part, content: '<sst/>' }))}
    ${'with XML that is cut off'}       | ${changed(SHEET, ({ name }) => ({ name, content: '<worksheet><sheetData><row>' }))}
    ${'with XML that is malformed'}     | ${withSheet('<row><c></row>')}
    ${'with an unknown entity'}         | ${withSheet('<row><c><v>&bomb;</v></c></row>')}
    ${'with a part that is not UTF-8'}  | ${changed(SHEET, ({ name }) => ({ name, content: Buffer.from([0x3c, 0x61, 0xff]) }))}
    ${'with rows out of order'}         | ${withSheet('<row r="5"></row><row r="3"></row>')}
    ${'with one row twice'}             | ${withSheet('<row r="2"></row><row r="2"></row>')}
    ${'with cells out of order'}        | ${withSheet('<row r="2"><c r="B2"/><c r="A2"/></row>')}
    ${'with a cell of another row'}     | ${withSheet('<row r="2"><c r="A3"/></row>')}
    ${'with a row beyond the last'}     | ${withSheet('<row r="1048577"></row>')}
    ${'with a column beyond the last'}  | ${withSheet('<row r="2"><c r="XFE2"/></row>')}
    ${'with a number that is none'}     | ${withSheet('<row r="2"><c><v>NaN</v></c></row>')}
    ${'with one part twice'}            | ${zipOf([...PARTS, ...PARTS.filter(({ name }) => name === SHEET)])}
    ${'with a path out of the archive'} | ${zipOf([...PARTS, { name: '../../etc/passwd', content: 'x' }])}
  `('is refused when it is $what', async ({ file }) => {
    expect(await refusalOf(file)).toBe('WORKBOOK_UNREADABLE');
  });

  it('never pays another amount, whichever byte was flipped', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (at, mask) => {
          const bytes = Buffer.from(whole);
          bytes[at] = (bytes[at] ?? 0) ^ mask;
          try {
            const { rows } = await ingestText(bytes);
            expect(rows).toEqual([
              {
                row: 2,
                address: TRON,
                amount: '5',
                currency: 'TRX',
                comment: '',
                reference: '',
                name: '',
              },
            ]);
          } catch (error) {
            expect(error).toMatchObject({
              code: expect.stringMatching(/^(WORKBOOK|FILE|SHEET|DELIMITER|HEADER)_/),
            });
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('a workbook that is made to exhaust its reader', () => {
  const spaces = ' '.repeat(2 * UNPACK_RATIO_FREE_BYTES);

  it.each<{ what: string; file: Buffer; code: string }>`
    what                                 | file                                                                                                 | code
    ${'a bomb in the sheet'}             | ${withSheet(spaces)}                                                                                 | ${'WORKBOOK_TOO_LARGE'}
    ${'a bomb that states a small size'} | ${changed(SHEET, ({ name }) => ({ name, content: spaces, uncompressedSize: 100 }))}                  | ${'WORKBOOK_UNREADABLE'}
    ${'a bomb in the texts'}             | ${changed('xl/sharedStrings.xml', ({ name }) => ({ name, content: `<sst>${spaces}</sst>` }))}        | ${'WORKBOOK_TOO_LARGE'}
    ${'a bomb in the formats'}           | ${changed('xl/styles.xml', ({ name }) => ({ name, content: `<s>${spaces}</s>` }))}                   | ${'WORKBOOK_TOO_LARGE'}
    ${'a document type with entities'}   | ${changed(SHEET, ({ name }) => ({ name, content: '<!DOCTYPE a [<!ENTITY b "c">]><worksheet/>' }))}   | ${'WORKBOOK_UNREADABLE'}
    ${'elements in elements'}            | ${withSheet('<a>'.repeat(1_000) + '</a>'.repeat(1_000))}                                             | ${'WORKBOOK_UNREADABLE'}
    ${'an element with many attributes'} | ${withSheet(`<row ${Array.from({ length: 5_000 }, (_, i) => `a${i}="${i % 7}"`).join(' ')}/>`)}      | ${'WORKBOOK_UNREADABLE'}
    ${'a cell with a long text'}         | ${withSheet(`<row><c t="inlineStr"><is><t>${'x1y2'.repeat(20_000)}</t></is></c></row>`)}             | ${'WORKBOOK_UNREADABLE'}
    ${'a row of long texts'}             | ${withSheet(`<row>${`<c t="inlineStr"><is><t>${'xy'.repeat(5_000)}</t></is></c>`.repeat(3)}</row>`)} | ${'ROW_TOO_LONG 2'}
    ${'a header in the last column'}     | ${withSheet('<row r="2"><c r="XFD2"><v>1</v></c></row>')}                                            | ${'accepted'}
  `('is refused: $what', async ({ file, code }) => {
    expect(await refusalOf(file)).toBe(code);
  });
});
