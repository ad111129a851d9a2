import { describe, expect, it } from '@jest/globals';
import { progressText } from '../../src/cli/print/progress-text.ts';
import type { ShownBatch } from '../../src/operations/batch/standing-view.ts';

const NOW_MS = Date.parse('2026-11-21T09:00:00Z');
const clock = { timeZone: 'UTC', nowMs: () => NOW_MS, pause: async () => undefined };

const PAYING: ShownBatch = {
  schema: 'bursar.batch/v1',
  batchId: 'payroll',
  workflowId: 'batch/payroll',
  state: 'PAYING',
  reportDir: 'runs/payroll',
  reportUrl: null,
  digest: null,
  rows: { total: 200_000, paid: 30_369, failed: 0, unknown: 0, notSent: 0, inFlight: 8_000 },
  amounts: [],
  chunks: { total: 200, byState: {} },
  needsOperator: [],
  alarms: [],
  holds: [],
  error: null,
  generation: 0,
  parentBatchId: null,
  childBatchId: null,
  paidTwice: [],
  isOver: false,
  isRegistered: true,
  isQueued: false,
  holdsLiftedBy: 'resume',
  activity: {
    state: 'PAYING',
    since: '2026-11-21T08:00:00.000Z',
    note: 'sending the payments',
    isHeld: false,
    canceledBy: null,
  },
};

const THROUGHPUT = { rowsPerSecond: 410.4, leftMs: 413_000 };

const line = (columns: number, more: Partial<ShownBatch> = {}, throughput = THROUGHPUT) =>
  progressText({ ...PAYING, ...more }, { clock, columns, throughput });

describe('the line of a batch that is paid', () => {
  it.each([
    [40, 'Being paid: 30,369 of 200,000 rows paid'],
    [60, 'Being paid: 30,369 of 200,000 rows paid, 7 min left [     ]'],
    [80, 'Being paid: 30,369 of 200,000 rows paid, 7 min left, 410 rows/s [#            ]'],
    [
      120,
      'Being paid: 30,369 of 200,000 rows paid, 7 min left, 410 rows/s, 8,000 in flight [###                     ]',
    ],
  ])('has state and numbers first, and fits %d columns', (columns, text) => {
    expect(line(columns)).toBe(text);
  });

  it.each(Array.from({ length: 60 }, (_, i) => 20 + i * 3))(
    'cuts no number and no word in %d columns',
    (columns) => {
      const rows = { ...PAYING.rows, failed: 12, unknown: 3, notSentYet: 161_616 };
      const text = line(columns, { rows });
      const whole = line(1_000, { rows }).replace(/ \[.*/, '');
      const bare = text.replace(/ \[.*/, '').replace(/ \.\.\.$/, '');
      for (const part of bare.split(/: |, /)) expect(whole).toContain(part);
      const isShort = bare === 'Being paid: 30,369 of 200,000 rows paid';
      expect(text.length < columns || isShort).toBe(true);
    },
  );

  it.each([
    ['STOP_LOSS', /^On hold: 30,369 of 200,000 rows paid/],
    ['PAUSE', /^Paused: 30,369 of 200,000 rows paid/],
  ] as const)('says that it is on hold, or paused by a person (%s)', (kind, text) => {
    const activity = { ...PAYING.activity!, isHeld: true };
    const since = '2026-11-21T08:00:00.000Z';
    const holds = [{ n: 1, kind, reason: 'checked', by: 'zoe', since, facts: {} }];
    expect(line(60, { activity, holds })).toMatch(text);
  });

  it('says once that results of the service are missing', () => {
    const activity = { ...PAYING.activity!, state: 'SETTLING' as const };
    expect(line(100, { state: 'SETTLING', activity })).toMatch(
      /^Waiting for the service: 30,369 of 200,000[^.]*$/,
    );
  });

  it('shows no pace before there is one, and slow ones with a decimal', () => {
    expect(progressText(PAYING, { clock, columns: 80, throughput: null })).not.toContain('left');
    expect(line(80, {}, { rowsPerSecond: 0.44, leftMs: 90_000_000 })).toContain(
      '2 d left, 0.4 rows/s',
    );
  });
});

describe('the line of a batch that waits', () => {
  const rows = { total: 0, paid: 0, failed: 0, unknown: 0, notSent: 0, inFlight: 0 };

  it('shows no counts before its file is read', () => {
    const activity = {
      ...PAYING.activity!,
      state: 'INGESTING',
      note: 'checking every row',
    } as const;
    expect(line(60, { state: 'INGESTING', rows, activity })).toBe(
      'Reading the file: checking every row',
    );
  });

  it('shows the end of its wait for money', () => {
    const fundsUntil = '2026-11-23T10:00:00.000Z';
    const waiting = { state: 'AWAITING_FUNDS', fundsUntil } as const;
    expect(line(120, waiting, { rowsPerSecond: 0, leftMs: 0 })).toContain(
      'until 2026-11-23 10:00:00 UTC, in 2 days',
    );
  });

  it('cuts a sentence after a word', () => {
    const activity = { ...PAYING.activity!, note: 'waiting for people who are on a holiday' };
    expect(line(40, { state: 'AWAITING_APPROVAL', rows, activity })).toBe(
      'Waiting for approval: waiting for ...',
    );
  });
});
