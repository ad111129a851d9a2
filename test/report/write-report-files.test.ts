import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { noteOf } from '../../src/domain/errors/bursar-error.ts';
import type { ReportRow, WrittenReport } from '../../src/domain/report/report.ts';
import { sha256Hex } from '../../src/domain/sending/identity.ts';
import { writeReport } from '../../src/report/write-report-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createMemoryDisk } from './support/memory-disk.ts';
import { readCsv } from './support/read-csv.ts';
import { ADDRESS, reasonFor, refusedRow, reportOf, row } from './support/reports.ts';

const PAID_ROW = row(2, {
  comment: 'Müller, November',
  reference: 'emp-1',
  name: 'Müller, Zoë',
  amount: '1000.5',
});
const FAILED_ROW = row(3, {
  outcome: 'FAILED',
  reason: 'the address is blocked',
  withdrawalId: 'wd-3',
  comment: 'Bonus "Q4"',
});
const UNKNOWN_ROW = row(4, { outcome: 'UNKNOWN', reason: 'the outcome is unknown', chunk: 1 });
const UNSENT_ROW = row(6, {
  outcome: 'NOT_SENT',
  reason: 'canceled by the merchant',
  currency: 'BTC',
  amount: '0.00012',
});
const ROWS = [PAID_ROW, FAILED_ROW, UNKNOWN_ROW, refusedRow(5), UNSENT_ROW];
const REFUSED = [reasonFor(5, '=1e3')];

/** Writes a report into memory. Returns the names and texts of its files. */
async function write(rows: readonly ReportRow[] = ROWS, refused = REFUSED) {
  const disk = createMemoryDisk();
  const { files } = await writeReport(
    { dir: '/runs/b', report: reportOf(rows), pages: [rows], refused },
    disk,
  );
  return { files, texts: disk.files };
}

describe('a report', () => {
  it('has every file that would have content', async () => {
    const { files, texts } = await write();
    const names = [
      'failed.csv',
      'investigate.csv',
      'nack.csv',
      'report.csv',
      'report.json',
      'resend.csv',
      'summary.html',
    ];
    expect([...texts.keys()].sort()).toEqual(names);
    expect([...files].sort()).toEqual(names);
  });

  it('has the outcome and the next step of every row in report.csv', async () => {
    const { texts } = await write();
    expect(texts.get('report.csv')).toBe(
      [
        '\uFEFFrow,address,amount,currency,comment,reference,outcome,reason,next,fee,feeCurrency,chunk,massPayoutId,idempotencyKey,withdrawalId,transactionHash,name',
        `2,${ADDRESS},1000.5,USDT_TRC20,"Müller, November",emp-1,PAID,,,,,0,mp-1,key-1,,,"Müller, Zoë"`,
        `3,${ADDRESS},1.5,USDT_TRC20,"Bonus ""Q4""",,FAILED,the address is blocked,resend.csv,,,0,mp-1,key-1,wd-3,,`,
        `4,${ADDRESS},1.5,USDT_TRC20,,,UNKNOWN,the outcome is unknown,investigate.csv,,,1,mp-1,key-1,,,`,
        '5,,,,,,NOT_SENT,AMOUNT_NOT_DECIMAL,nack.csv,,,,,,,,',
        `6,${ADDRESS},0.00012,BTC,,,NOT_SENT,canceled by the merchant,resend.csv,,,0,mp-1,key-1,,,`,
        '',
      ].join('\n'),
    );
  });

  it('has the reason and the fix in failed.csv', async () => {
    const { texts } = await write();
    expect(texts.get('failed.csv')).toBe(
      [
        '\uFEFFrow,address,amount,currency,comment,reference,why,fix,chunk,massPayoutId,idempotencyKey,withdrawalId,transactionHash,name',
        `3,${ADDRESS},1.5,USDT_TRC20,"Bonus ""Q4""",,the address is blocked,"Check in the interface of the service that nobody sent it again there. Then run ""bursar resend"". If the row itself is wrong, correct it in a copy of resend.csv and submit that.",0,mp-1,key-1,wd-3,,`,
        '',
      ].join('\n'),
    );
  });

  it('has a reason even for a failure without one', async () => {
    const rows = [row(2, { outcome: 'FAILED' })];
    const { texts } = await write(rows, []);
    expect(texts.get('failed.csv')).toContain(',the service gives no reason,');
  });

  it('has the question to answer in investigate.csv', async () => {
    const { texts } = await write();
    expect(texts.get('investigate.csv')).toBe(
      [
        '\uFEFFrow,address,amount,currency,comment,reference,outcome,why,lookFor,chunk,massPayoutId,idempotencyKey,withdrawalId,transactionHash,name',
        `4,${ADDRESS},1.5,USDT_TRC20,,,UNKNOWN,the outcome is unknown,"Does mass payout mp-1 hold this payment, and is it paid? Then run ""bursar report payroll-2026-11"". Do not pay it again before you have the answer.",1,mp-1,key-1,,,`,
        '',
      ].join('\n'),
    );
  });

  it.each<[string, Partial<ReportRow>]>([
    ['Is withdrawal wd-9 of mass payout mp-1 paid?', { withdrawalId: 'wd-9' }],
    ['with external id payroll-2026-11/7/0 or idempotency key', { massPayoutId: '', chunk: 7 }],
  ])('names the ids of an unknown row that are stored: %s', async (lookFor, ids) => {
    const rows = [row(2, { outcome: 'UNKNOWN', ...ids })];
    const { texts } = await write(rows, []);
    expect(texts.get('investigate.csv')).toContain(lookFor);
  });

  it('has the provably unpaid rows in resend.csv, as they were submitted', async () => {
    const { texts } = await write();
    expect(texts.get('resend.csv')).toBe(
      [
        'address,amount,currency,comment,reference,name',
        `${ADDRESS},1.5,USDT_TRC20,"Bonus ""Q4""",,`,
        `${ADDRESS},0.00012,BTC,,,`,
        '',
      ].join('\n'),
    );
  });

  it('has the reasons for refused rows in nack.csv', async () => {
    const { texts } = await write();
    const { code, what, why, fix } = noteOf('AMOUNT_NOT_DECIMAL', { text: '=1e3' });
    expect(readCsv(texts.get('nack.csv') ?? '')).toEqual([
      ['\uFEFFrow', 'column', 'code', 'value', 'what', 'why', 'fix'],
      ['5', 'amount', code, "'=1e3", what, why, fix],
    ]);
  });

  it('has all its data in report.json', async () => {
    const { texts } = await write();
    const text = texts.get('report.json') ?? '';
    const others = [...texts].filter(([name]) => name !== 'report.json');
    const files = others.map(([name, content]) => ({ name, sha256: sha256Hex(content) }));
    const { files: named, ...report } = JSON.parse(text) as WrittenReport;
    expect(report).toEqual(reportOf(ROWS));
    expect(new Set(named)).toEqual(new Set(files));
    expect(text).toBe(`${JSON.stringify({ ...report, files: named }, undefined, 2)}\n`);
  });

  it('passes the hash of every file before the first gets its name', async () => {
    const disk = createMemoryDisk();
    const hashed: unknown[] = [];
    const input = { dir: '/b', report: reportOf(ROWS), pages: [ROWS], refused: REFUSED };
    const onHashed = async (files: readonly { name: string; sha256: string }[]) => {
      expect(disk.steps.some((step) => step.startsWith('rename'))).toBe(false);
      hashed.push(...files);
    };
    await writeReport({ ...input, onHashed }, disk);
    const written = [...disk.files].map(([name, text]) => ({ name, sha256: sha256Hex(text) }));
    expect(new Set(hashed)).toEqual(new Set(written));
  });

  it('takes rows that come one at a time', async () => {
    const disk = createMemoryDisk();
    const later = async function* <Item>(items: readonly Item[]) {
      for (const item of items) yield await Promise.resolve(item);
    };
    const report = reportOf(ROWS);
    await writeReport({ dir: '/b', report, pages: later([ROWS]), refused: later(REFUSED) }, disk);
    expect(disk.files).toEqual((await write()).texts);
  });

  it('is written in blocks for any number of rows', async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => row(i + 2));
    const disk = createMemoryDisk();
    await writeReport({ dir: '/b', report: reportOf(rows), pages: [rows], refused: [] }, disk);
    const appends = disk.steps.filter((step) => step.startsWith('append .report.csv')).length;
    expect(appends).toBeGreaterThan(5);
    expect(appends).toBeLessThan(50);
    expect(disk.files.get('report.csv')?.split('\n')).toHaveLength(20_002);
  });
});

describe('a report of a batch without a plan', () => {
  const rejected = reportOf([], {
    state: 'REJECTED',
    chunks: { total: 0, byState: {} },
    rows: { total: 3, paid: 0, failed: 0, unknown: 0, notSent: 3, inFlight: 0 },
    refusedRows: 1,
  });
  const unread = {
    // oxlint-disable-next-line require-yield
    *[Symbol.iterator](): Generator<ReportRow[]> {
      throw new Error('rows of a rejected batch are not read');
    },
  };

  it('has the reasons for the rejected file, and reads no rows', async () => {
    const disk = createMemoryDisk();
    await writeReport({ dir: '/b', report: rejected, pages: unread, refused: REFUSED }, disk);
    expect([...disk.files.keys()].sort()).toEqual(['nack.csv', 'report.json', 'summary.html']);
  });

  it('is also written for a batch that was canceled while its file was read', async () => {
    const report = { ...rejected, state: 'CANCELED' as const, refusedRows: 0 };
    const disk = createMemoryDisk();
    await writeReport({ dir: '/b', report, pages: unread, refused: [] }, disk);
    expect([...disk.files.keys()].sort()).toEqual(['report.json', 'summary.html']);
  });
});

describe('the folder of a report', () => {
  let dir: string;
  beforeEach(() => {
    dir = join(temporaryFolder(), 'runs', 'payroll-2026-11');
  });

  const writeTo = (rows: readonly ReportRow[]) =>
    writeReport({ dir, report: reportOf(rows), pages: [rows], refused: [] });
  const contents = async (): Promise<Record<string, string>> => {
    const names = (await readdir(dir)).sort();
    const texts = names.map(async (name) => [name, await readFile(join(dir, name), 'utf8')]);
    return Object.fromEntries(await Promise.all(texts));
  };

  it('is made with the folders above it', async () => {
    await writeTo([PAID_ROW]);
    expect(Object.keys(await contents())).toEqual(['report.csv', 'report.json', 'summary.html']);
  });

  it('holds the same bytes when the report is written again', async () => {
    await writeTo([PAID_ROW, FAILED_ROW]);
    const first = await contents();
    await writeTo([PAID_ROW, FAILED_ROW]);
    expect(await contents()).toEqual(first);
  });

  it('loses resend.csv when no row is left to send again', async () => {
    await writeTo([PAID_ROW, FAILED_ROW]);
    expect(Object.keys(await contents())).toContain('resend.csv');
    await writeTo([PAID_ROW, { ...FAILED_ROW, outcome: 'PAID' }]);
    expect(Object.keys(await contents())).toEqual(['report.csv', 'report.json', 'summary.html']);
  });

  it('keeps other files', async () => {
    await mkdir(dir, { recursive: true });
    await writeFile(join(dir, 'notes.txt'), 'ask Ann');
    await writeTo([PAID_ROW]);
    expect((await contents())['notes.txt']).toBe('ask Ann');
  });

  it('is the only changed folder', async () => {
    await writeTo([PAID_ROW]);
    expect(await readdir(join(dir, '..'))).toEqual(['payroll-2026-11']);
  });
});
