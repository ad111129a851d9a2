import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { linesOfJson } from '../../src/operations/file/write-plan.ts';
import { spreadsheetSafe, startsLikeFormula } from '../../src/domain/files/csv.ts';
import type { Reconciliation } from '../../src/domain/reconcile/statement.ts';
import type { ReportRow } from '../../src/domain/report/report.ts';
import type { RefusedRow } from '../../src/domain/rows/refused-row.ts';
import { COLUMNS, type Row } from '../../src/domain/rows/row.ts';
import { readSheet } from '../../src/report/read-sheet.ts';
import { startReconciliation } from '../../src/report/write-reconciliation.ts';
import { writeReport } from '../../src/report/write-report-files.ts';
import { EVM, ingestText, TRON, TRON_2 } from '../ingest/support/ingest.ts';
import { anyText } from '../support/any-text.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createMemoryDisk } from './support/memory-disk.ts';
import { reasonFor, refusedRow, reportOf, row } from './support/reports.ts';

/** Fixed, so that every run tests the same files. */
const seed = 1;

/** Texts of people, spreadsheets and attackers. */
const hostile = fc.oneof(
  fc.constantFrom(
    '',
    '=1+1',
    '+1',
    '-1',
    '@a',
    '\t=1',
    '\r=1',
    ' =1',
    '\uFF1D1',
    "'=1",
    'a;=1',
    'a\n-1',
  ),
  fc.constantFrom(
    '"',
    '""',
    'a "b"',
    'two\nlines',
    'a\nb,c,d,e,f',
    'a\n"b","c"',
    'a\r\nb',
    '\uFEFFa',
  ),
  fc.constantFrom(
    '\u00a0a\u00a0',
    '\u{1F468}\u200D\u{1F469}',
    'x'.repeat(500),
    ' a ',
    '#rows=1',
    'sep=;',
  ),
  fc.string({ unit: fc.constantFrom(...'ab1 ,;"\'\n=-@\u00e9\u{1F680}'), maxLength: 30 }),
);

const anyRow = fc.record({
  pays: fc.constantFrom(
    ...([
      [TRON, 'TRX'],
      [TRON_2, 'USDT_TRC20'],
      [EVM, 'ETH'],
    ] as const),
    ...([
      ['DE89', 'EUR'],
      ['a,"b";c', 'FOO_BAR'],
      ['=1+1', 'FOO_BAR'],
      ['#1', 'FOO_BAR'],
    ] as const),
  ),
  amount: fc.constantFrom('1', '1.50', '0.000001', '0.000000000000000001', '9'.repeat(30)),
  // A bare carriage return refuses the whole file.
  comment: hostile.map((text) => text.replaceAll(/\r(?!\n)/g, '')),
  reference: fc.oneof(fc.constant(''), fc.stringMatching(/^[a-z'";,]{1,9}$/)),
  name: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('', 'Zoe "Z" Fox', 'Fox, Zoe') },
    { weight: 1, arbitrary: hostile.map((text) => text.replaceAll(/\r(?!\n)/g, '')) },
  ),
});

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

/** Payout files with these cells. */
const acceptedRows = fc
  .tuple(
    fc.array(anyRow, { minLength: 1, maxLength: 8 }),
    fc.constantFrom(',', ';', '\t'),
    fc.shuffledSubarray([...COLUMNS], { minLength: COLUMNS.length }),
  )
  .map(([rows, delimiter, columns]) =>
    [
      columns,
      ...rows.map(({ pays, ...others }) => {
        const cells = { ...others, address: pays[0], currency: pays[1] };
        return columns.map((column) => quoted(cells[column]));
      }),
    ]
      .map((cells) => cells.join(delimiter))
      .join('\n'),
  );

const asFailed = (paid: Row): ReportRow => row(paid.row, { ...paid, outcome: 'FAILED' });

async function write(rows: readonly ReportRow[], refused: readonly RefusedRow[] = []) {
  const disk = createMemoryDisk();
  await writeReport({ dir: '/b', report: reportOf(rows), pages: [rows], refused }, disk);
  return disk.files;
}

async function readText(text: string): Promise<Record<string, string>[]> {
  const path = join(temporaryFolder(), 'sheet.csv');
  writeFileSync(path, text);
  const rows: (readonly string[])[] = [];
  for await (const cells of readSheet(createReadStream(path))) rows.push(cells);
  const [header = [], ...lines] = rows;
  for (const line of lines) expect(line).toHaveLength(header.length);
  return lines.map((line) => Object.fromEntries(header.map((name, i) => [name, line[i] ?? ''])));
}

describe('resend.csv', () => {
  it('leads to the same rows when it is submitted, for any file', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(acceptedRows, async (file) => {
        const { rows } = await ingestText(file, { chunkRows: 1 });
        if (rows.length === 0) return;
        const text = (await write(rows.map(asFailed))).get('resend.csv') ?? '';
        const again = await ingestText(text, { chunkRows: 1 });
        const paid = (given: readonly Row[]) =>
          given.map((each) => COLUMNS.map((name) => each[name]));
        expect(again.refused).toEqual([]);
        expect(paid(again.rows)).toEqual(paid(rows));
        compared += rows.length;
      }),
      { numRuns: 200, seed },
    );
    expect(compared).toBeGreaterThan(300);
  });

  it('has no cell that a spreadsheet would run as a formula', async () => {
    await fc.assert(
      fc.asyncProperty(acceptedRows, async (file) => {
        const { rows } = await ingestText(file, { chunkRows: 1 });
        const text = (await write(rows.map(asFailed))).get('resend.csv') ?? '';
        const cells = (await readText(text)).flatMap((line) => Object.values(line));
        expect(cells.filter(startsLikeFormula)).toEqual([]);
      }),
      { numRuns: 60, seed },
    );
  });
});

const OUTCOMES = {
  'report.csv': 'PAID',
  'failed.csv': 'FAILED',
  'investigate.csv': 'UNKNOWN',
} as const;
const SUBMITTED = [...COLUMNS, 'massPayoutId', 'withdrawalId', 'transactionHash'] as const;

describe.each(Object.entries(OUTCOMES))('%s', (name, outcome) => {
  it('has the content of each row, with an apostrophe before a possible formula', async () => {
    const cells = fc.record(Object.fromEntries(SUBMITTED.map((column) => [column, hostile])));
    await fc.assert(
      fc.asyncProperty(fc.array(cells, { minLength: 1, maxLength: 6 }), async (given) => {
        const rows = given.map((peculiar, i) =>
          row(i + 2, { ...peculiar, amount: '1.5', currency: 'TRX', outcome }),
        );
        const lines = await readText((await write(rows)).get(name) ?? '');
        for (const column of SUBMITTED) {
          const expected = rows.map((each) => spreadsheetSafe(each[column]));
          expect(lines.map((line) => line[column])).toEqual(expected);
        }
      }),
      { numRuns: 60, seed },
    );
  });
});

it('nack.csv has the cell of each reason, with an apostrophe before a possible formula', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hostile, { minLength: 1, maxLength: 6 }), async (values) => {
      const refused = values.map((value, i) => reasonFor(i + 2, value));
      const rows = refused.map((reason) => refusedRow(reason.row));
      const lines = await readText((await write(rows, refused)).get('nack.csv') ?? '');
      expect(lines.map(({ value }) => value)).toEqual(values.map(spreadsheetSafe));
    }),
    { numRuns: 60, seed },
  );
});

it('the files of a reconciliation have the given content', async () => {
  const line = fc.record({ row: hostile, address: hostile, networkFeeCurrency: hostile });
  const statement = fc.dictionary(hostile, fc.array(hostile));
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1 }), statement, async (lines, given) => {
      const disk = createMemoryDisk();
      const writer = await startReconciliation({ dir: '/b', stem: 's' }, disk);
      for (const each of lines) writer.add(each);
      await writer.publish(given as unknown as Reconciliation);
      const read = await readText(disk.files.get('s.csv') ?? '');
      expect(read).toMatchObject(
        lines.map((each) =>
          Object.fromEntries(
            Object.entries(each).map(([name, cell]) => [name, spreadsheetSafe(cell)]),
          ),
        ),
      );
      expect(JSON.parse(disk.files.get('s.json') ?? '')).toEqual(given);
    }),
    { numRuns: 60, seed },
  );
});

it('report.json has the content of the report, and a plan file that of the plan', async () => {
  const text = fc.oneof(hostile, anyText());
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.dictionary(text, fc.array(fc.dictionary(text, fc.array(text)))),
      async (batchId, plan) => {
        const rows = [row(2)];
        const disk = createMemoryDisk();
        const report = reportOf(rows, { batchId });
        await writeReport({ dir: '/b', report, pages: [rows], refused: [] }, disk);
        expect(JSON.parse(disk.files.get('report.json') ?? '')).toMatchObject({ batchId });
        expect(JSON.parse(linesOfJson(plan))).toEqual(plan);
      },
    ),
    { numRuns: 20, seed },
  );
});
