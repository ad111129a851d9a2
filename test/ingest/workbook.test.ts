import { describe, expect, it } from '@jest/globals';
import { csvLine } from '../../src/domain/files/csv.ts';
import { noteOf } from '../../src/domain/errors/bursar-error.ts';
import { type FileForm, PLAIN_FORM } from '../../src/domain/rows/file-form.ts';
import {
  BITCOIN,
  EVM,
  type Ingested,
  ingestText,
  reasonsOf,
  refusalOf,
  TRON,
  TRON_2,
} from './support/ingest.ts';
import {
  formula,
  number,
  sheetOf,
  STYLES,
  type TestCell,
  type TestSheet,
  workbookOf,
  workbookParts,
  zipOf,
} from './support/workbook.ts';

const withForm = (form: Partial<FileForm>) => ({ form: { ...PLAIN_FORM, ...form } });
const HEAD = ['address', 'amount', 'currency', 'comment', 'reference'];
const ROW = [TRON, number('5'), 'TRX'];

const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${csvLine(cells)}\n`).join('');

/** The result of an import without what differs between two files: their hashes and sizes, and the sheet. */
function comparable({ summary, ...result }: Ingested) {
  const { fileSha256: _, sizeBytes: __, sheet: ___, ...same } = summary;
  return { ...result, summary: same };
}

describe('a workbook', () => {
  it('gives the rows, findings and errors of a CSV with the same content', async () => {
    const rows: readonly (readonly string[])[] = [
      ['# rows=9 total=17.5:TRX total=1:FOO total=3:ETH total=2.5:BTC'],
      HEAD,
      [TRON, '5', 'TRX', 'für Jürgen', 'R-1'],
      [TRON, '5', 'TRX', 'für Jürgen', 'R-2'],
      [EVM.toLowerCase(), '3', 'ETH', 'a, "b" & <c>', ''],
      ['', '', '', '', ''],
      [BITCOIN, '2.50', 'BTC', '', 'R-3'],
      [TRON_2, '1,5', 'TRX', '', ''],
      ['0x123', '7', 'ETH', '=1+1', 'R-4'],
      ['some', '1', 'FOO', '', ''],
      [TRON, '7.5', 'TRX', 'line break', ''],
      [TRON, '7.5', 'TRX', '', 'R-1'],
      ['Total', '24', '', '', ''],
    ];
    const inCsv = await ingestText(csvOf(rows));
    const inSheet = await ingestText(sheetOf(rows));
    expect(inSheet.refused.length).toBeGreaterThan(3);
    expect(inSheet.summary.findings.length).toBeGreaterThan(1);
    expect(inSheet.chunks.length).toBeGreaterThan(2);
    expect(inSheet.summary.totalRow).toEqual({ row: 13, total: '24', currency: null });
    expect(comparable(inSheet)).toEqual(comparable(inCsv));
    expect(inSheet.summary.sheet).toBe('Sheet1');
  });

  it('gives numbers as the CSV that the spreadsheet would write, and never rounds one', async () => {
    const stored = ['5', '1234.5', '0.10000000000000001', '35.799999999999997', '999999999.123456'];
    const { rows } = await ingestText(
      sheetOf([HEAD, ...stored.map((text) => [TRON, number(text), 'TRX'])]),
    );
    expect(rows.map(({ amount }) => amount)).toEqual([
      '5',
      '1234.5',
      '0.1',
      '35.8',
      '999999999.123456',
    ]);
  });

  it('numbers its rows as the sheet does, over rows without a value', async () => {
    const { rows } = await ingestText(sheetOf([[], HEAD, [], [], ROW, ['', '', ''], ROW]));
    expect(rows.map(({ row }) => row)).toEqual([5, 7]);
  });

  it('is read block by block, as in threads', async () => {
    const many = Array.from({ length: 3_000 }, (_, i) => [
      TRON,
      number(String(i + 1)),
      'TRX',
      '',
      `R${i % 2_900}`,
    ]);
    const file = sheetOf([HEAD, ...many]);
    const alone = await ingestText(file);
    const threads = { threads: 2, blocksAlone: 0 };
    const { BLOCK_THREAD } = await import('./support/ingest.ts');
    const together = await ingestText(file, { threads: { ...threads, module: BLOCK_THREAD } });
    expect(alone.summary).toMatchObject({ rows: 3_000, refusedRows: 100 });
    expect(together).toEqual(alone);
  });

  it('may be packed with gzip, begin with another prefix, and have texts inside its cells', async () => {
    const { gzipSync } = await import('node:zlib');
    const inline = (text: string): TestCell => ({
      xml: `<c t="inlineStr"><is><r><t>${text}</t></r></is></c>`,
    });
    const parts = workbookParts([
      { name: 'Sheet1', rows: [HEAD.map(inline), [inline(TRON), number('5'), inline('TRX')]] },
    ]).map(({ name, content }) =>
      name.includes('worksheets')
        ? {
            name,
            content: String(content)
              .replaceAll(/<(\/?)(?!\?)/g, '<$1x:')
              .replace('xmlns=', 'xmlns:x='),
          }
        : { name, content },
    );
    const { rows } = await ingestText(gzipSync(zipOf(parts)));
    expect(rows).toMatchObject([{ row: 2, address: TRON, amount: '5' }]);
  });

  it('may have line breaks in the names of its columns', async () => {
    const head = ['Wallet\naddress', 'amount', 'currency'];
    expect((await ingestText(sheetOf([head, ROW]))).rows).toHaveLength(1);
  });

  it('may have texts of several formats, marks of pronunciation and written-out characters', async () => {
    const cell = `<c t="inlineStr"><is><r><t>to </t></r><r><t>B_x00e4_r_x000D_&#10;two</t></r><rPh sb="0" eb="1"><t>no</t></rPh></is></c>`;
    const { rows } = await ingestText(sheetOf([HEAD, [...ROW, { xml: cell }]]));
    expect(rows[0]?.comment).toBe('to Bär\ntwo');
  });
});

describe('a cell that is not certain', () => {
  it.each<{ what: string; cell: TestCell; kind: string; stored: string }>`
    what                               | cell                                         | kind          | stored
    ${'a formula'}                     | ${formula('B1*2', '10')}                     | ${'formula'}  | ${'10'}
    ${'a formula without a result'}    | ${formula('B1*2')}                           | ${'formula'}  | ${'=B1*2'}
    ${'a date'}                        | ${number('46331', STYLES.date)}              | ${'date'}     | ${'2026-11-05'}
    ${'a date of a format of its own'} | ${number('46331', STYLES.own)}               | ${'date'}     | ${'2026-11-05'}
    ${'a date with a time'}            | ${number('46331.5', STYLES.date)}            | ${'date'}     | ${'46331.5'}
    ${'a date as text of ISO 8601'}    | ${{ xml: '<c t="d"><v>2026-11-05</v></c>' }} | ${'date'}     | ${'2026-11-05'}
    ${'TRUE'}                          | ${{ xml: '<c t="b"><v>1</v></c>' }}          | ${'boolean'}  | ${'TRUE'}
    ${'an error'}                      | ${{ xml: '<c t="e"><v>#REF!</v></c>' }}      | ${'error'}    | ${'#REF!'}
    ${'an exponent'}                   | ${number('1E+5')}                            | ${'exponent'} | ${'1E+5'}
    ${'a small exponent'}              | ${number('1E-4')}                            | ${'exponent'} | ${'1E-4'}
    ${'a number shown in that form'}   | ${number('100000', STYLES.scientific)}       | ${'exponent'} | ${'100000'}
    ${'a percentage'}                  | ${number('0.5', STYLES.percent)}             | ${'format'}   | ${'0.5'}
    ${'a number in thousands'}         | ${number('5000', STYLES.thousands)}          | ${'format'}   | ${'5000'}
    ${'a result of a calculation'}     | ${number('0.30000000000000004')}             | ${'noise'}    | ${'0.30000000000000004'}
    ${'more digits than are kept'}     | ${number('1234567890123450')}                | ${'digits'}   | ${'1234567890123450'}
  `('is refused by its name: $what', async ({ cell, kind, stored }) => {
    const ingested = await ingestText(sheetOf([HEAD, ROW, [TRON, cell, 'TRX']]));
    expect(reasonsOf(ingested)).toEqual(['3 amount SHEET_CELL_UNCERTAIN']);
    const facts = { cell: 'Sheet1!B3', kind, stored };
    expect(ingested.refused[0]?.facts).toEqual(facts);
    const { what, fix } = noteOf('SHEET_CELL_UNCERTAIN', facts as never);
    expect(what).toContain('Sheet1!B3');
    expect(fix).not.toBe('');
    expect(ingested.rows).toHaveLength(1);
  });

  it('is a date by the calendar of its workbook', async () => {
    const rows = [HEAD, [TRON, number('44869', STYLES.date), 'TRX']];
    const parts = workbookParts([{ name: 'Sheet1', rows }]).map((part) =>
      part.name === 'xl/workbook.xml'
        ? {
            ...part,
            content: String(part.content).replace('<sheets>', '<workbookPr date1904="1"/><sheets>'),
          }
        : part,
    );
    const ingested = await ingestText(zipOf(parts));
    expect(ingested.refused[0]?.facts).toMatchObject({ kind: 'date', stored: '2026-11-05' });
  });

  it('is refused in every column that is read, and in no other', async () => {
    const sheet = sheetOf(
      [
        ['address', 'amount', 'currency', 'comment', 'paid'],
        [...ROW, number('46331', STYLES.date), formula('TODAY()', '46331')],
        [
          formula('A2', TRON),
          formula('1+1', '2'),
          formula('C2', 'TRX'),
          '',
          { xml: '<c t="b"><v>0</v></c>' },
        ],
      ],
      { name: "Pay 'n' run" },
    );
    const ingested = await ingestText(sheet, withForm({ ignoreColumns: ['paid'] }));
    expect(reasonsOf(ingested)).toEqual([
      '2 comment SHEET_CELL_UNCERTAIN',
      '3 address SHEET_CELL_UNCERTAIN',
      '3 amount SHEET_CELL_UNCERTAIN',
      '3 currency SHEET_CELL_UNCERTAIN',
    ]);
    expect(ingested.refused[0]?.facts).toMatchObject({ cell: "'Pay ''n'' run'!D2" });
  });

  it.each(['array', 'dataTable'])('is one of a range that one formula fills: %s', async (type) => {
    const first = { xml: `<c><f t="${type}" ref="B3:B4">D3:D4*2</f><v>10</v></c>` };
    const ingested = await ingestText(
      sheetOf([
        HEAD,
        ROW,
        [TRON, first, 'TRX'],
        [TRON, number('20'), 'TRX', number('7')],
        [TRON, number('30'), 'TRX'],
      ]),
    );
    expect(reasonsOf(ingested)).toEqual([
      '3 amount SHEET_CELL_UNCERTAIN',
      '4 amount SHEET_CELL_UNCERTAIN',
    ]);
    expect(ingested.rows.map(({ amount }) => amount)).toEqual(['5', '30']);
  });

  it('stays text where a format shows only signs around the number', async () => {
    const { rows } = await ingestText(
      sheetOf([HEAD, [TRON, number('1234.5', STYLES.money), 'TRX']]),
    );
    expect(rows[0]?.amount).toBe('1234.5');
  });

  it('is no row when formulas show nothing', async () => {
    const nothing = { xml: '<c t="str"><f>IF(1,"","")</f><v></v></c>' };
    const { summary } = await ingestText(sheetOf([HEAD, ROW, [nothing, nothing, nothing]]));
    expect(summary.rows).toBe(1);
    const unknown = await ingestText(
      sheetOf([HEAD, ROW, [formula('A9'), formula('B9'), formula('C9')]]),
    );
    expect(unknown.summary).toMatchObject({ rows: 2, refusedRows: 1 });
  });
});

describe('amounts as text', () => {
  it.each<{ text: string; decimalComma: boolean; outcome: string }>`
    text          | decimalComma | outcome
    ${'1234,56'}  | ${false}     | ${'AMOUNT_NOT_DECIMAL'}
    ${'1234,56'}  | ${true}      | ${'1234.56'}
    ${'1.234,56'} | ${true}      | ${'AMOUNT_HAS_POINT'}
    ${'1234.56'}  | ${false}     | ${'1234.56'}
    ${'1234.56'}  | ${true}      | ${'AMOUNT_HAS_POINT'}
    ${"'5"}       | ${false}     | ${'AMOUNT_NOT_DECIMAL'}
  `('are read like those of a CSV: $text', async ({ text, decimalComma, outcome }) => {
    const { rows, refused } = await ingestText(
      sheetOf([HEAD, [TRON, text, 'TRX']]),
      withForm({ decimalComma }),
    );
    expect(rows[0]?.amount ?? refused[0]?.code).toBe(outcome);
  });

  it('stand beside numbers, which have no decimal sign', async () => {
    const sheet = sheetOf([
      HEAD,
      [TRON, '7,5', 'TRX'],
      [TRON_2, number('1.1000000000000001'), 'TRX'],
    ]);
    const { rows } = await ingestText(sheet, withForm({ decimalComma: true }));
    expect(rows.map(({ amount }) => amount)).toEqual(['7.5', '1.1']);
  });
});

describe('a total below the rows of a sheet', () => {
  it.each<{ what: string; cell: TestCell; total: string }>`
    what                    | cell                                           | total
    ${'a number'}           | ${number('10.3')}                              | ${'10.3'}
    ${'a formula'}          | ${formula('SUM(B2:B3)', '10.3')}               | ${'10.3'}
    ${'an inexact formula'} | ${formula('SUM(B2:B3)', '10.300000000000001')} | ${'10.3'}
    ${'an inexact number'}  | ${number('10.300000000000001')}                | ${'10.3'}
  `('is compared when it is $what', async ({ cell, total }) => {
    const { summary } = await ingestText(sheetOf([HEAD, ROW, ROW, ['Total', cell]]));
    expect(summary).toMatchObject({ rows: 2, refusedRows: 0, totalRow: { row: 4, total } });
  });
});

describe('rows and cells that a person may not see', () => {
  it('are refused when the row is hidden', async () => {
    const ingested = await ingestText(
      sheetOf([HEAD, ROW, ROW, []], { rowAttributes: { 2: 'hidden="1"' } }),
    );
    expect(reasonsOf(ingested)).toEqual(['3 row SHEET_ROW_HIDDEN']);
    expect(ingested.rows).toHaveLength(1);
  });

  it.each<{ range: string; code: string }>`
    range      | code
    ${'A2:A3'} | ${'SHEET_CELLS_MERGED'}
    ${'C2:D2'} | ${'SHEET_CELLS_MERGED'}
    ${'A1:B1'} | ${'SHEET_CELLS_MERGED'}
    ${'H2:H3'} | ${'accepted'}
  `('refuse the file when $range are merged: $code', async ({ range, code }) => {
    const after = `<mergeCells count="1"><mergeCell ref="${range}"/></mergeCells>`;
    expect(await refusalOf(sheetOf([HEAD, ROW, ROW], { after }))).toBe(code);
  });

  it('are refused beyond the header, and read when they are empty', async () => {
    const wide = [...ROW, '', '', '', 'x'];
    const ingested = await ingestText(sheetOf([HEAD, ROW, wide, [...ROW, '', '', '', '']]));
    expect(reasonsOf(ingested)).toEqual(['3 row FIELD_COUNT_WRONG']);
  });
});

describe('the sheet', () => {
  const empty: TestSheet = { name: 'Notes', rows: [] };
  const pay: TestSheet = { name: 'Pay', rows: [HEAD, ROW] };
  const old: TestSheet = { name: 'Old', rows: [HEAD, ROW, ROW] };

  it.each<{ what: string; sheets: TestSheet[]; sheet: string | null; outcome: number | string }>`
    what                          | sheets                                | sheet      | outcome
    ${'the only one'}             | ${[pay]}                              | ${null}    | ${1}
    ${'the only one with values'} | ${[empty, old]}                       | ${null}    | ${2}
    ${'one of several, by name'}  | ${[pay, old]}                         | ${'Old'}   | ${2}
    ${'one of several'}           | ${[pay, old]}                         | ${null}    | ${'SHEET_NOT_CHOSEN'}
    ${'beside a hidden one'}      | ${[pay, { ...old, state: 'hidden' }]} | ${null}    | ${1}
    ${'a hidden one, by name'}    | ${[pay, { ...old, state: 'hidden' }]} | ${'Old'}   | ${2}
    ${'one that is not there'}    | ${[pay, old]}                         | ${'Pays'}  | ${'SHEET_NOT_FOUND'}
    ${'none with values'}         | ${[empty]}                            | ${null}    | ${'FILE_EMPTY'}
    ${'an empty one, by name'}    | ${[empty, pay]}                       | ${'Notes'} | ${'FILE_EMPTY'}
  `('is $what', async ({ sheets, sheet, outcome }) => {
    const file = workbookOf(...sheets);
    if (typeof outcome === 'string') {
      expect(await refusalOf(file, withForm({ sheet }))).toBe(outcome);
    } else {
      expect((await ingestText(file, withForm({ sheet }))).rows).toHaveLength(outcome);
    }
  });

  it('of a CSV is refused', async () => {
    expect(
      await refusalOf(`address,amount,currency\n${TRON},1,TRX\n`, withForm({ sheet: 'Pay' })),
    ).toBe('SHEET_OF_NO_WORKBOOK');
  });
});
