import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { csvLine, spreadsheetSafe, startsLikeFormula } from '../../src/domain/files/csv.ts';
import type { ReportRow } from '../../src/domain/report/report.ts';
import type { RefusedRow } from '../../src/domain/rows/refused-row.ts';
import { OUTCOMES } from '../../src/domain/settling/outcome.ts';
import { createLineWriter } from '../../src/report/sheet.ts';
import { writeReport } from '../../src/report/write-report-files.ts';
import { anyText } from '../support/any-text.ts';
import { createMemoryDisk } from './support/memory-disk.ts';
import { readCsv, readRecords } from './support/read-csv.ts';
import { reasonFor, refusedRow, reportOf, row } from './support/reports.ts';

/** A cell as a person, a spreadsheet or an attacker may write it. */
const anyCell = fc.oneof(
  anyText({ maxLength: 12 }),
  fc.constantFrom('', '=1+1', ' =1', '\t=1', '-5', '@a', 'a;=1', 'a\n=1', '"', 'a,b', '\uFF1D1'),
  fc.stringMatching(/^[ ,;"'=+\-@\t\r\na1é給]{0,8}$/),
);

/** Amounts in canonical form. */
const anyAmount = fc
  .tuple(fc.integer({ min: 0, max: 99_999 }), fc.stringMatching(/^(\d{0,17}[1-9])?$/))
  .map(([whole, fraction]) => (fraction === '' ? `${whole}` : `${whole}.${fraction}`));

const anyRow = fc.record({
  address: anyCell,
  amount: anyAmount,
  comment: anyCell,
  reference: anyCell,
  name: anyCell,
  currency: fc.constantFrom('USDT_TRC20', 'BTC', 'ETH'),
  outcome: fc.constantFrom(...OUTCOMES),
  reason: anyCell,
  massPayoutId: anyCell,
  withdrawalId: anyCell,
  transactionHash: anyCell,
  isRefused: fc.boolean(),
});

const anyRows = fc.array(anyRow, { maxLength: 12 }).map((cells) =>
  cells.map(({ isRefused, ...own }, i): ReportRow => {
    const number = 2 + i * 3;
    return isRefused ? refusedRow(number, { reason: own.reason }) : row(number, own);
  }),
);

async function write(rows: readonly ReportRow[], reasonText = 'x'): Promise<Map<string, string>> {
  const disk = createMemoryDisk();
  const refused: RefusedRow[] = rows
    .filter((each) => each.refused)
    .map((each) => reasonFor(each.row, reasonText));
  await writeReport({ dir: '/b', report: reportOf(rows), pages: [rows], refused }, disk);
  return disk.files;
}

/** Few runs, because each one writes a whole report. */
const RUNS = { numRuns: 50 };

const SUBMITTED = ['address', 'amount', 'currency', 'comment', 'reference', 'name'] as const;
const HUMAN_FILES = ['report.csv', 'failed.csv', 'investigate.csv', 'nack.csv'];

const numbersIn = (text: string | undefined): number[] =>
  readRecords(text ?? '').map((record) => Number(record['row']));
const numbersOf = (rows: readonly ReportRow[]): number[] => rows.map((each) => each.row);

describe('for rows with any content', () => {
  it('report.csv has every row once, in order, with its exact amount', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, async (rows) => {
        const text = (await write(rows)).get('report.csv') ?? '';
        expect(numbersIn(text)).toEqual(numbersOf(rows));
        const amounts = readRecords(text).map(({ amount }) => amount);
        expect(amounts).toEqual(rows.map(({ amount }) => amount));
      }),
      RUNS,
    );
  });

  it('resend.csv has exactly the provably unpaid rows, unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, async (rows) => {
        const unpaid = rows.filter(
          ({ outcome, refused }) => !refused && (outcome === 'FAILED' || outcome === 'NOT_SENT'),
        );
        const text = (await write(rows)).get('resend.csv');
        if (unpaid.length === 0) expect(text).toBeUndefined();
        else {
          expect(readCsv(text ?? '')).toEqual([
            [...SUBMITTED],
            ...unpaid.map((each) => SUBMITTED.map((column) => each[column])),
          ]);
        }
      }),
      RUNS,
    );
  });

  it('the other files have the rows of their outcomes, and resend.csv none that may be paid', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, async (rows) => {
        const files = await write(rows);
        const having = (...outcomes: string[]) =>
          numbersOf(rows.filter(({ outcome }) => outcomes.includes(outcome)));
        expect(numbersIn(files.get('failed.csv'))).toEqual(having('FAILED'));
        expect(numbersIn(files.get('investigate.csv'))).toEqual(having('UNKNOWN', 'IN_FLIGHT'));
      }),
      RUNS,
    );
  });

  it('no cell that people open in a spreadsheet starts a formula', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, anyCell, async (rows, reasonText) => {
        const files = await write(rows, reasonText);
        for (const name of HUMAN_FILES) {
          const cells = readCsv((files.get(name) ?? '').replace(/^\uFEFF/, '')).flat();
          for (const cell of cells) expect(startsLikeFormula(cell)).toBe(false);
        }
      }),
      RUNS,
    );
  });

  it('no part of a line starts a formula where a spreadsheet splits at semicolons or tabs', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, anyCell, async (rows, reasonText) => {
        const files = await write(rows, reasonText);
        for (const name of HUMAN_FILES) {
          const pieces = (files.get(name) ?? '').split(/[;\t\r\n]/);
          for (const piece of pieces)
            expect(piece).not.toMatch(/^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/);
        }
      }),
      RUNS,
    );
  });

  it('the same rows give the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, async (rows) => {
        expect(await write(rows)).toEqual(await write(rows));
      }),
      RUNS,
    );
  });
});

describe('the line writer', () => {
  it('writes the same as a test of every cell', () => {
    const writeLine = createLineWriter(3);
    fc.assert(
      fc.property(fc.tuple(anyCell, anyCell, anyCell), (cells) => {
        expect(writeLine(cells)).toBe(`${csvLine(cells.map(spreadsheetSafe))}\n`);
      }),
      { numRuns: 500 },
    );
  });

  it('is fast for a cell that was made to slow it down', () => {
    const writeLine = createLineWriter(2);
    const cell = `${'a '.repeat(100_000)}"`;
    expect(writeLine([cell, cell])).toBe(`${csvLine([cell, cell])}\n`);
  });
});
