import { describe, expect, it } from '@jest/globals';
import { BursarError } from '../../src/domain/errors/bursar-error.ts';
import type { BatchView, OperatorCase } from '../../src/domain/report/report.ts';
import { summariseBatch } from '../../src/report/summarise-batch.ts';
import { reportOf } from './support/reports.ts';

const line = (currency: string, figures: Partial<BatchView['amounts'][number]>) => ({
  currency,
  requested: '0',
  paid: '0',
  failed: '0',
  unknown: '0',
  notSent: '0',
  inFlight: '0',
  fee: '0',
  ...figures,
});

const view = (peculiar: Partial<BatchView>): BatchView => ({
  ...reportOf([]),
  schema: 'bursar.batch/v1',
  rows: { total: 1000, paid: 990, failed: 8, unknown: 0, notSent: 2, inFlight: 0 },
  amounts: [],
  reportDir: 'runs/payroll-2026-11',
  reportUrl: null,
  alarms: [],
  holds: [],
  ...peculiar,
});

const operatorCase = (chunk: number): OperatorCase => ({
  chunk,
  reason: 'no answer came',
  since: '2026-11-20T10:00:00Z',
  idempotencyKey: 'key',
  externalId: 'b/1/0',
  rows: 5,
  currency: 'BTC',
  total: '1',
  attempts: [],
});

describe('the text about a batch', () => {
  it('aligns the decimal points of each column', () => {
    const amounts = [
      line('USDT_TRC20', {
        requested: '1000.5',
        paid: '990',
        failed: '8.5',
        notSent: '2',
        fee: '9.9',
      }),
      line('BTC', { requested: '12.00012', paid: '12.00012', fee: '0.00001' }),
    ];
    expect(summariseBatch(view({ amounts }))).toBe(
      [
        'Batch payroll-2026-11: Partly paid',
        '990 of 1,000 rows paid, 8 failed, 2 not sent',
        '',
        '                requested       paid  failed  not sent  fee stated',
        'USDT (TRC20)  1,000.50     990.00       8.50      2.00     9.90',
        'BTC              12.00012   12.00012    0.00      0.00     0.00001',
        '',
        'Balance explained: no more left the account than this store ordered.',
        '',
        'Report: runs/payroll-2026-11/summary.html',
      ].join('\n'),
    );
  });

  it('has the address of a report in a bucket, and the command that copies it', () => {
    const reportUrl = 's3://payouts/files/reports/payroll-2026-11/v2-0123456789abcdef';
    expect(summariseBatch(view({ reportUrl }))).toContain(
      `Report: ${reportUrl}/summary.html\n` +
        '  To copy it to this machine: bursar report payroll-2026-11 --out DIR',
    );
  });

  it('explains a fee that includes unpaid rows', () => {
    const amounts = [line('USDT_TRC20', { fee: '2.6', feeIncludesUnpaid: true })];
    expect(summariseBatch(view({ amounts }))).toContain(
      'The fee stated is for all rows, including failed ones. ' +
        'For the fee really charged: bursar reconcile payroll-2026-11',
    );
    const plain = [line('USDT_TRC20', { fee: '2.6' })];
    expect(summariseBatch(view({ amounts: plain }))).not.toContain('really charged');
  });

  it('leaves the report out while the batch is open', () => {
    const rows = { total: 1, paid: 0, failed: 0, unknown: 0, notSent: 0, inFlight: 1 };
    expect(summariseBatch(view({ state: 'PAYING', rows }))).toBe(
      'Batch payroll-2026-11: Being paid\n0 of 1 row paid, 1 in flight',
    );
  });

  it('distinguishes rows that are not sent yet from those in flight', () => {
    const rows = { total: 5, paid: 0, failed: 0, unknown: 0, notSent: 0, inFlight: 2 };
    const amounts = [
      line('BTC', { requested: '5', inFlight: '2', notSentYet: '3' }),
      line('ETH', { requested: '0' }),
    ];
    const text = summariseBatch(
      view({ state: 'PAYING', rows: { ...rows, notSentYet: 3 }, amounts }),
    );
    expect(text).toContain('0 of 5 rows paid, 2 in flight, 3 not sent yet\n');
    expect(text).toContain('requested  paid  in flight  not sent yet  fee stated');
    expect(text).toMatch(/BTC +5\.00 +0\.00 +2\.00 +3\.00 +0\.00\nETH( +0\.00){5}/);
  });

  it('has the reason when a batch ended early', () => {
    const { note: error } = new BursarError('PERSON_SAID_NO', {});
    expect(summariseBatch(view({ error }))).toContain(
      `PERSON_SAID_NO: ${error.what}\n  ${error.why}\n  ${error.fix}`,
    );
  });

  it('lists the chunks that wait for an operator, with the commands', () => {
    expect(summariseBatch(view({ state: 'PAYING', needsOperator: [operatorCase(3)] }))).toContain(
      [
        'Chunk 3 needs an operator: no answer came',
        '  bursar resolve payroll-2026-11 3 adopt ID | not-created | abandon',
      ].join('\n'),
    );
  });

  it('limits the number of operator cases', () => {
    const needsOperator = Array.from({ length: 1_234 }, (_, i) => operatorCase(i));
    const text = summariseBatch(view({ needsOperator }));
    expect(text).toContain('1,224 more chunks need an operator.');
    expect(text.split('\n').length).toBeLessThan(30);
  });
});
