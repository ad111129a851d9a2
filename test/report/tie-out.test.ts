import { describe, expect, it } from '@jest/globals';
import type { BatchReport, ReportRow } from '../../src/domain/report/report.ts';
import type { RefusedRow } from '../../src/domain/rows/refused-row.ts';
import { writeReport } from '../../src/report/write-report-files.ts';
import { createMemoryDisk } from './support/memory-disk.ts';
import { reasonFor, refusedRow, reportOf, row } from './support/reports.ts';

const ROWS = [
  row(2, { amount: '0.1' }),
  row(3, { outcome: 'FAILED', amount: '0.2', currency: 'BTC' }),
  refusedRow(5),
  row(7, { outcome: 'UNKNOWN', amount: '1000000000000000000.000000000000000001' }),
  row(8, { outcome: 'NOT_SENT', amount: '7' }),
  refusedRow(9, { amount: '5', currency: 'BTC' }),
];
const REFUSED = [reasonFor(5), reasonFor(5, '1e4'), reasonFor(9)];
const REPORT = reportOf(ROWS);

const OLD = new Map([['report.json', 'old']]);

type Change = Readonly<{
  rows?: readonly ReportRow[];
  refused?: RefusedRow[];
  report?: BatchReport;
}>;

async function attempt({ rows = ROWS, refused = REFUSED, report = REPORT }: Change) {
  const disk = createMemoryDisk(OLD);
  const error: unknown = await writeReport(
    { dir: '/b', report, pages: [rows], refused },
    disk,
  ).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  return { error, files: disk.files };
}

const withRow = (index: number, change: Partial<ReportRow>): ReportRow[] =>
  ROWS.map((each, i) => (i === index ? { ...each, ...change } : each));

const withAmounts = (change: Partial<BatchReport['amounts'][number]>): BatchReport => ({
  ...REPORT,
  amounts: REPORT.amounts.map((line, i) => (i === 0 ? { ...line, ...change } : line)),
});

const withCounts = (change: Partial<BatchReport['rows']>): BatchReport => ({
  ...REPORT,
  rows: { ...REPORT.rows, ...change },
});

describe('a report that adds up', () => {
  it('is written', async () => {
    const { error, files } = await attempt({});
    expect(error).toBeUndefined();
    expect(files.get('report.json')).not.toBe('old');
  });
});

describe('a report that does not add up is not written', () => {
  it.each<[string, Change, string]>([
    ['a row is missing', { rows: ROWS.slice(1) }, '5 rows instead of 6'],
    ['a row is repeated', { rows: [...ROWS, row(9)] }, 'row 9 comes after row 9'],
    ['rows are out of order', { rows: [...ROWS].reverse() }, 'row 8 comes after row 9'],
    ['a row has no number', { rows: withRow(0, { row: Number.NaN }) }, 'row NaN comes after row 0'],
    ['an outcome differs', { rows: withRow(0, { outcome: 'FAILED' }) }, 'rows, paid'],
    [
      'an amount differs in its last digit',
      { rows: withRow(3, { amount: '1000000000000000000.000000000000000002' }) },
      '0.000000000000000001 USDT (TRC20)',
    ],
    ['a currency differs', { rows: withRow(0, { currency: 'TRX' }) }, '0.10 TRX that the file'],
    ['an amount is missing', { rows: withRow(0, { amount: '' }) }, 'row 2 has no amount'],
    ['a currency is missing', { rows: withRow(0, { currency: '' }) }, 'row 2 has no amount or no'],
    ['an amount is not a decimal', { rows: withRow(0, { amount: '1e-1' }) }, 'row 2 has no amount'],
    ['an amount is below zero', { rows: withRow(0, { amount: '-0.1' }) }, 'row 2 has no amount'],
    ['a refused row was sent', { rows: withRow(2, { outcome: 'PAID' }) }, 'row 5 was refused and'],
    ['a refused row counts as fit', { rows: withRow(5, { refused: false }) }, '1 refused rows'],
    ['a refused row has no reason', { refused: [reasonFor(5)] }, '1 refused rows instead of 2'],
    ['a reason has no refused row', { refused: [...REFUSED, reasonFor(11)] }, '3 refused rows'],
    ['the count of refused rows differs', { report: { ...REPORT, refusedRows: 3 } }, '2 refused'],
    ['the total of rows differs', { report: withCounts({ total: 7 }) }, '6 rows instead of 7'],
    [
      'two counts differ by the same',
      { report: withCounts({ paid: 2, failed: 0 }) },
      'rows, paid: 2 in the totals, 1 in the rows',
    ],
    [
      'two sums differ by the same',
      { report: withAmounts({ paid: '7.1', notSent: '0' }) },
      'USDT_TRC20, paid: 7.1 in the totals, 0.1 in the rows',
    ],
    ['the requested amount differs', { report: withAmounts({ requested: '1' }) }, 'USDT (TRC20)'],
    ['a currency is left out', { report: { ...REPORT, amounts: [] } }, 'that the file does not'],
    [
      'a currency is repeated',
      { report: { ...REPORT, amounts: [...REPORT.amounts, ...REPORT.amounts] } },
      'twice',
    ],
  ])('when %s', async (_, change, difference) => {
    const { error, files } = await attempt(change);
    expect(error).toMatchObject({ code: 'TIE_OUT_BROKEN' });
    expect(error).toMatchObject({ facts: { difference: expect.stringContaining(difference) } });
    expect(files).toEqual(OLD);
  });
});

describe('a report of a rejected file', () => {
  const rejected = reportOf([], {
    state: 'REJECTED',
    chunks: { total: 0, byState: {} },
    rows: { total: 3, paid: 0, failed: 0, unknown: 0, notSent: 3, inFlight: 0 },
    refusedRows: 2,
  });

  it('is written when nothing was sent', async () => {
    expect((await attempt({ rows: [], report: rejected })).error).toBeUndefined();
  });

  it.each<[string, Partial<BatchReport>]>([
    ['a row was paid', { rows: { ...rejected.rows, paid: 1, notSent: 2 } }],
    ['an amount was paid', { amounts: REPORT.amounts }],
    ['reasons are missing', { refusedRows: 3 }],
  ])('is not written when %s', async (_, change) => {
    const { error, files } = await attempt({ rows: [], report: { ...rejected, ...change } });
    expect(error).toMatchObject({ code: 'TIE_OUT_BROKEN' });
    expect(files).toEqual(OLD);
  });
});
