import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Clock } from '../../src/operations/context.ts';
import type { Store } from '../../src/store/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { liveStatus, running } from './support/fake-engine.ts';
import { type FakeWorld, fakeWorld, type WorldOptions } from './support/fake-world.ts';
import { address, csv, GOOD, ONE_BAD, withFiles } from './support/files.ts';
import { keyOf, playDoubt, playEnd, playPlan, playSettle } from './support/play.ts';
import { writableDb } from '../../src/store/database/writable.ts';

const TWO_CURRENCIES = csv(
  `${address(1)},2712.75,USDT_TRC20`,
  '0xdEADbeEF00000000000000000000000000000001,1195.55,USDC_ERC20',
);
const FILES = { 'good.csv': GOOD, 'one-bad.csv': ONE_BAD, 'two.csv': TWO_CURRENCIES };

type Went = (store: Store) => Promise<void>;

/** A world in which `payroll` was started and planned, and then `went` on. */
async function worldWith(
  went: Went,
  { file = 'good.csv', ...more }: Partial<WorldOptions> & { file?: string } = {},
): Promise<FakeWorld> {
  const made = fakeWorld({ cwd: withFiles(temporaryFolder(), FILES), ...more });
  const flags = ['--id', 'payroll', '--yes', '--detach', '--skip-invalid'];
  await made.run('submit', file, ...flags);
  const [input] = made.engine.started;
  if (input === undefined) throw new Error('nothing was started');
  const store = await made.store();
  await playPlan(store, input, join(made.world.cwd, file));
  made.engine.statuses.set('payroll', liveStatus());
  await went(store);
  await store.close();
  return made;
}

const paid: Went = async (store) => {
  await playSettle(store, 'payroll', { outcome: 'PAID' });
  await playEnd(store, 'payroll', { state: 'COMPLETED' });
};

const failed: Went = async (store) => {
  await playSettle(store, 'payroll', { outcome: 'FAILED' });
  await playEnd(store, 'payroll', { state: 'FAILED' });
};

const open: Went = async () => undefined;

describe('bursar status', () => {
  it('shows the activity of an open batch and its time', async () => {
    const { run } = await worldWith(open);
    const { code, out } = await run('status', 'payroll');
    expect(code).toBe(0);
    expect(out).toContain('Batch payroll: Being paid');
    expect(out).toContain('Now: sending the payments (since 2026-11-21 09:00:00 UTC)');
  });

  it('names who submitted it, when, and from which file', async () => {
    const made = await worldWith(open);
    const { out } = await made.run('status', 'payroll');
    expect(out).toMatch(/^Submitted by alice, 2026-11-21 \d\d:\d\d:\d\d UTC, file good\.csv$/m);
    const { value } = await made.json('status', 'payroll');
    const file = { name: 'good.csv', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) };
    expect(value).toMatchObject({ submittedBy: 'alice', file });
  });

  it('shows that a batch waits in the queue of workers that are at work on others', async () => {
    const { run, engine } = await worldWith(open);
    engine.statuses.delete('payroll');
    expect((await run('status', 'payroll')).out).toContain(
      'Now: waiting for a worker. The workers are busy with other batches.',
    );
    engine.executions.set('bonus', running('f'));
    expect((await run('status', 'bonus')).out).toContain(
      'Now: waiting for a worker. It begins after the batches before it.',
    );
    Object.assign(engine, { workers: false });
    const { out } = await run('status', 'bonus');
    expect(out).not.toContain('waiting for a worker');
    expect(out).toContain('No worker answers on task queue bursar, and none was seen lately.');
    expect(out).toContain('BURSAR_TASK_QUEUE=bursar.');
    expect(out).not.toContain('0 of 0');
  });

  it('shows that the chunks of a restored store are verified, and how many of them are', async () => {
    const { run, json } = await worldWith(async (store) => {
      await store.restores.raise({ atMs: Date.parse('2026-11-21T08:55:00Z'), reason: '' });
    });
    expect((await run('status', 'payroll')).out).toContain(
      'Verifying against the service: 0 of 1 chunk.',
    );
    expect((await json('status', 'payroll')).value).toMatchObject({
      state: 'PAYING',
      verifying: { verified: 0, total: 1 },
    });
  });

  it('does not show that a held batch creates mass payouts', async () => {
    const { run, engine } = await worldWith(open);
    const hold = { n: 1, kind: 'CANARY', reason: 'look first', by: 'Bursar', facts: {} } as const;
    const since = '2026-11-21T09:05:00.000Z';
    engine.statuses.set('payroll', liveStatus({ holds: [{ ...hold, since }] }));
    const { out } = await run('status', 'payroll');
    expect(out).toContain(
      'Now: on hold, so no payment is sent (paying since 2026-11-21 09:00:00 UTC)',
    );
    expect(out).not.toContain('Now: creates');
  });

  it.each([
    ['is held', 'FEE_CAP', { state: 'PAYING' }, 14],
    ['was held when it was canceled', 'FEE_CAP', { state: 'SETTLING', canceledBy: 'ann' }, 8],
    ['was held and writes its report', 'FEE_CAP', { state: 'REPORTING' }, 8],
    [
      'was canceled, and money left without an order',
      'BALANCE',
      { state: 'SETTLING', canceledBy: 'ann' },
      14,
    ],
  ] as const)('ends the watch of a batch that %s only when it needs a person', async (...one) => {
    const [, kind, live, exitCode] = one;
    const { json, engine, store: openStore } = await worldWith(open);
    const store = await openStore();
    const hold = { kind, reason: 'too dear', by: 'Bursar', facts: {} } as const;
    const holds = [await store.holds.put('payroll', hold, 1)];
    await store.close();
    engine.statuses.set('payroll', liveStatus({ holds, ...live }));
    expect((await json('watch', 'payroll', '--timeout', '1s')).code).toBe(exitCode);
  });

  it('shows that nothing of a waiting batch was sent yet', async () => {
    const { run, engine } = await worldWith(open);
    engine.statuses.set('payroll', liveStatus({ state: 'AWAITING_FUNDS', note: 'waits' }));
    expect((await run('status', 'payroll')).out).toContain('0 of 3 rows paid, 3 not sent yet');
  });

  it('has the missing amount in JSON while the batch waits for funds', async () => {
    const { json, engine } = await worldWith(open);
    const short = [{ currency: 'USDT_TRC20', amount: '60' }];
    engine.statuses.set('payroll', liveStatus({ state: 'AWAITING_FUNDS', short }));
    expect((await json('status', 'payroll')).value).toMatchObject({ short });
    engine.statuses.set('payroll', liveStatus({ state: 'PAYING' }));
    expect((await json('status', 'payroll')).value).not.toHaveProperty('short');
  });

  it('shows that a resend also pays rows that a cancel left unsent', async () => {
    const { run } = await worldWith(async (store) => {
      const row = { row: 3, chunk: 0, amount: '20', outcome: 'FAILED', reason: 'no' } as const;
      await playSettle(store, 'payroll', { outcome: 'NOT_SENT', rows: [row] });
      await writableDb(store).updateTable('chunk').set({ mass_state: 'CANCELED' }).execute();
      await playEnd(store, 'payroll', { state: 'CANCELED' });
    });
    const { out } = await run('status', 'payroll');
    expect(out).toContain(
      'Next: 1 failed and 2 were not sent. To pay all but refused rows: bursar resend payroll\n' +
        '  To pay only some of them: remove the others from a copy of runs/payroll/resend.csv, and submit that.',
    );
  });

  it('shows that a mass payout waits for people at the service', async () => {
    const { run } = await worldWith(async (store) => {
      await playSettle(store, 'payroll', { outcome: 'PAID' });
      const pending = { mass_state: 'PENDING_CONFIRMATION', final: 0 };
      await writableDb(store).updateTable('chunk').set(pending).where('chunk', '=', 0).execute();
    });
    expect((await run('status', 'payroll')).out).toContain(
      "1 payment request waits until a person confirms or declines in the service's own interface.",
    );
  });

  it('shows no fee of mass payouts without a paid row', async () => {
    const { json } = await worldWith(failed);
    const { value } = await json('status', 'payroll');
    expect(value['amounts']).toMatchObject([{ fee: '0' }]);
    expect(value['amounts']).not.toMatchObject([{ feeIncludesUnpaid: true }]);
  });

  it('marks a fee that a mass payout states for rows too that were not paid', async () => {
    const { run, json } = await worldWith(async (store) => {
      const row = { row: 3, chunk: 0, amount: '20', outcome: 'FAILED', reason: 'no' } as const;
      await playSettle(store, 'payroll', { outcome: 'PAID', rows: [row] });
      await playEnd(store, 'payroll', { state: 'PARTIAL' });
    });
    const { value } = await json('status', 'payroll');
    expect(value['amounts']).toMatchObject([{ fee: '0.5', feeIncludesUnpaid: true }]);
    expect((await run('status', 'payroll')).out).toContain(
      'For the fee really charged: bursar reconcile payroll',
    );
  });

  it('leads to a resend when every mass payout was declined', async () => {
    const { run } = await worldWith(async (store) => {
      await playSettle(store, 'payroll', { outcome: 'NOT_SENT' });
      await writableDb(store).updateTable('chunk').set({ mass_state: 'CANCELED' }).execute();
      await playEnd(store, 'payroll', { state: 'FAILED' });
    });
    const { out } = await run('status', 'payroll');
    expect(out).toContain('Next: nothing was paid. To pay it: bursar resend payroll');
  });

  it('takes the state that Temporal shows when no worker answers', async () => {
    const { json, engine } = await worldWith(open);
    engine.workers = false;
    engine.executions.set('payroll', running(undefined, 'SETTLING'));
    expect((await json('status', 'payroll')).value).toMatchObject({ state: 'SETTLING' });
  });

  it('needs no Temporal for a batch that ended', async () => {
    const { json, engine } = await worldWith(failed);
    engine.isDown = true;
    const { code, value } = await json('status', 'payroll');
    expect(code).toBe(0);
    expect(value).toMatchObject({
      schema: 'bursar.batch/v1',
      state: 'FAILED',
      rows: { failed: 3 },
    });
  });

  it('shows a batch that no worker has read yet', async () => {
    const { json, engine } = await worldWith(open);
    engine.executions.set('young', running(undefined, 'INGESTING'));
    const { value } = await json('status', 'young');
    expect(value).toMatchObject({ batchId: 'young', state: 'INGESTING', rows: { total: 0 } });
  });

  it('shows how to go on with a batch that Temporal forgot', async () => {
    const { run, engine } = await worldWith(open);
    engine.executions.clear();
    expect((await run('status', 'payroll')).out).toContain('bursar recover payroll');
  });

  it.each`
    command                          | code                  | exitCode
    ${'status nobody'}               | ${'BATCH_NOT_FOUND'}  | ${5}
    ${'watch nobody'}                | ${'BATCH_NOT_FOUND'}  | ${5}
    ${'report nobody'}               | ${'BATCH_NOT_FOUND'}  | ${5}
    ${'rows nobody'}                 | ${'BATCH_NOT_FOUND'}  | ${5}
    ${'explain nobody 2'}            | ${'BATCH_NOT_FOUND'}  | ${5}
    ${'explain payroll 99'}          | ${'ROW_NOT_FOUND'}    | ${5}
    ${'explain payroll 1'}           | ${'ROW_NOT_FOUND'}    | ${5}
    ${'explain payroll x'}           | ${'FLAG_INVALID'}     | ${2}
    ${'explain payroll 0'}           | ${'FLAG_INVALID'}     | ${2}
    ${'status ../x'}                 | ${'BATCH_ID_INVALID'} | ${2}
    ${'status'}                      | ${'FLAG_INVALID'}     | ${2}
    ${'rows payroll --outcome LOST'} | ${'FLAG_INVALID'}     | ${2}
    ${'rows payroll --limit 0'}      | ${'FLAG_INVALID'}     | ${2}
    ${'list --limit many'}           | ${'FLAG_INVALID'}     | ${2}
    ${'list --state DONE'}           | ${'FLAG_INVALID'}     | ${2}
    ${'watch payroll --timeout 5'}   | ${'FLAG_INVALID'}     | ${2}
  `('"bursar $command" is refused with $code, exit $exitCode', async ({ command, ...expected }) => {
    const { json } = await worldWith(open);
    const { code, value } = await json(...String(command).split(' '));
    expect({ code: value['code'], exitCode: code }).toEqual({
      code: expected.code,
      exitCode: expected.exitCode,
    });
  });

  it('fails with a message when it needs Temporal and cannot reach it', async () => {
    const { json, engine } = await worldWith(open);
    engine.isDown = true;
    const { code, value } = await json('status', 'payroll');
    expect([code, value['code']]).toEqual([6, 'TEMPORAL_UNREACHABLE']);
  });

  it('fails at once when it cannot reach Temporal to watch', async () => {
    const { json, engine } = await worldWith(open);
    engine.isDown = true;
    expect((await json('watch', 'payroll')).code).toBe(6);
  });
});

describe('bursar watch', () => {
  it('ends when Temporal closes the workflow, before its next read', async () => {
    const pause: Clock['pause'] = (_delayMs, signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    const made = await worldWith(open, { pause });
    made.engine.closing = async () => {
      const store = await made.store();
      await paid(store);
      await store.close();
    };
    expect(await made.json('watch', 'payroll')).toMatchObject({
      code: 0,
      value: { state: 'COMPLETED' },
    });
  });

  it('ends as the batch does', async () => {
    expect(await (await worldWith(failed)).json('watch', 'payroll')).toMatchObject({
      code: 11,
      value: { state: 'FAILED' },
    });
  });

  it('reports once that the workflow stands still, and waits', async () => {
    const made = await worldWith(open);
    made.engine.executions.set('payroll', { ...running(undefined), failedTasks: 4 });
    const { code, err } = await made.run('watch', 'payroll', '--timeout', '10s');
    expect(code).toBe(8);
    expect(
      err.split('The workflow does not continue: workers failed its task 4 times'),
    ).toHaveLength(2);
  });

  it('shows when a scheduled batch is due, also to a person', async () => {
    const note = 'payment begins at 2026-12-01T09:00:00.000Z';
    const made = await worldWith(open, { isTty: true });
    made.engine.statuses.set('payroll', liveStatus({ state: 'SCHEDULED', note }));
    const { code, err } = await made.run('watch', 'payroll', '--timeout', '10s');
    expect(code).toBe(8);
    expect(err).toContain('Waiting for its time: payment begins at 2026-12-01 09:00:00 UTC\n');
  });
});

it('bursar status shows that the workflow stands still, and how to mend it', async () => {
  const made = await worldWith(open);
  const status = async (failedTasks: number): Promise<string> => {
    made.engine.executions.set('payroll', { ...running(undefined), failedTasks });
    return (await made.run('status', 'payroll')).out;
  };
  expect(await status(4)).toContain('workers failed its task 4 times in a row. Search for');
  // A worker that was killed in the middle of a task costs one.
  expect(await status(1)).not.toContain('does not continue');
});

describe('bursar list', () => {
  it('lists the batches of the store and of Temporal, unread ones first', async () => {
    const { json, engine } = await worldWith(paid);
    engine.executions.set('young', running(undefined));
    const { value } = await json('list');
    expect(value).toEqual({
      schema: 'bursar.batch-list/v1',
      batches: [
        {
          batchId: 'young',
          state: 'INGESTING',
          file: null,
          rows: null,
          totals: [],
          submittedAt: null,
          submittedBy: null,
        },
        {
          batchId: 'payroll',
          state: 'COMPLETED',
          file: 'good.csv',
          rows: 3,
          totals: [{ currency: 'USDT_TRC20', total: '60.5' }],
          submittedAt: '2026-11-21T09:00:00.000Z',
          submittedBy: 'alice',
        },
      ],
    });
  });

  it('leaves out batches of another task queue, whose workers have a store of their own', async () => {
    const { json, engine } = await worldWith(open);
    for (const id of ['young', 'foreign']) engine.executions.set(id, running(undefined));
    // A batch in this store stays in the list, whatever the settings say now.
    for (const id of ['foreign', 'payroll']) engine.queues.set(id, 'another');
    const { batches } = (await json('list')).value as { batches: { batchId: string }[] };
    expect(batches.map(({ batchId }) => batchId)).toEqual(['young', 'payroll']);
  });

  it.each<[string, Partial<WorldOptions>, boolean]>([
    ['a person at a terminal', { isTty: true }, true],
    ['a person who wants none', { isTty: true, env: { NO_COLOR: '1' } }, false],
    ['a pipe', {}, false],
  ])('colours states for %s', async (_who, options, isColoured) => {
    const { run } = await worldWith(failed, options);
    const texts = [
      (await run('status', 'payroll')).out,
      (await run('list')).out,
      (await run('rows', 'payroll')).out,
      (await run('explain', 'payroll', '2')).out,
    ];
    for (const text of texts) expect(text.includes('\u001B[31m')).toBe(isColoured);
    expect(texts.join('').includes('\u001B')).toBe(isColoured);
  });

  it('shows a batch that is on hold in a colour of its own', async () => {
    const { run, engine } = await worldWith(
      async (store) => {
        const put = { kind: 'STOP_LOSS', reason: 'x', by: 'Bursar', facts: {} } as const;
        await store.holds.put('payroll', put, 0);
      },
      { isTty: true },
    );
    engine.executions.set('payroll', running('f'));
    expect((await run('status', 'payroll')).out).toContain('\u001B[35mBatch payroll: ');
  });

  it('gives each total a line of its own, so that columns stay columns', async () => {
    const { run } = await worldWith(open, { file: 'two.csv' });
    expect((await run('list')).out).toBe(
      [
        'BATCH    STATE    ROWS  TOTAL                  SUBMITTED',
        'payroll  Planned     2  2,712.75 USDT (TRC20)  2026-11-21 09:00:00 UTC',
        '                        1,195.55 USDC (ERC20)',
        '',
      ].join('\n'),
    );
  });

  it('writes blocks where a table does not fit', async () => {
    const { run } = await worldWith(open, { file: 'two.csv', isTty: true, columns: 60 });
    expect((await run('list')).out).toBe(
      [
        'BATCH  STATE',
        'payroll  Planned',
        '  2 rows',
        '  2,712.75 USDT (TRC20)',
        '  1,195.55 USDC (ERC20)',
        '  2026-11-21 09:00:00 UTC',
        '',
      ].join('\n'),
    );
  });

  it('writes a line for each batch with -o jsonl', async () => {
    const { run } = await worldWith(paid);
    const { out } = await run('list', '-o', 'jsonl');
    expect(JSON.parse(out)).toMatchObject({ schema: 'bursar.batch-line/v1', batchId: 'payroll' });
  });

  it('chooses by state and number', async () => {
    const { run, json } = await worldWith(paid);
    expect((await run('list', '--state', 'failed,partial')).out).toBe('');
    expect((await json('list', '--state', 'COMPLETED', '--limit', '1')).value).toMatchObject({
      batches: [{ batchId: 'payroll' }],
    });
  });

  it('lists the batches of the store with a warning when Temporal cannot be reached', async () => {
    const { run, engine } = await worldWith(open);
    engine.isDown = true;
    const { code, out, err } = await run('list');
    expect(code).toBe(0);
    expect(out).toContain('payroll');
    expect(err).toContain('States of open batches are those of the store.');
  });
});

describe('bursar rows', () => {
  it('lists every row, refused ones too, in the order of the file', async () => {
    const { json } = await worldWith(paid, { file: 'one-bad.csv' });
    const { value } = await json('rows', 'payroll');
    expect(value).toMatchObject({ schema: 'bursar.rows/v1', batchId: 'payroll' });
    expect(value['rows']).toMatchObject([
      { row: 2, outcome: 'PAID', amount: '10.5', address: address(1), massPayoutId: 'mp-1' },
      { row: 3, outcome: 'NOT_SENT', refused: true, reason: 'AMOUNT_NOT_DECIMAL' },
      { row: 4, outcome: 'PAID', amount: '30' },
    ]);
  });

  it('chooses by outcome and number', async () => {
    const { run } = await worldWith(paid, { file: 'one-bad.csv' });
    const { out } = await run(
      'rows',
      'payroll',
      '--outcome',
      'paid',
      '--limit',
      '1',
      '-o',
      'jsonl',
    );
    expect(JSON.parse(out)).toMatchObject({ schema: 'bursar.row/v1', row: 2 });
  });

  it('prints an empty list as such', async () => {
    const { json, run } = await worldWith(paid);
    expect((await json('rows', 'payroll', '--outcome', 'UNKNOWN')).value['rows']).toEqual([]);
    expect((await run('rows', 'payroll', '--outcome', 'UNKNOWN')).err).toContain('no such rows');
  });
});

describe('bursar explain', () => {
  it('prints the whole history of a row', async () => {
    const { json } = await worldWith(failed);
    const { code, value } = await json('explain', 'payroll', '3');
    expect(code).toBe(0);
    expect(value).toMatchObject({
      schema: 'bursar.row-story/v1',
      batchId: 'payroll',
      file: { name: 'good.csv' },
      row: { row: 3, amount: '20', outcome: 'FAILED', address: address(2) },
      chunk: {
        chunk: 0,
        firstRow: 2,
        lastRow: 4,
        rows: 3,
        total: '60.5',
        state: 'FAILED',
        idempotencyKey: keyOf('payroll', 0),
        externalId: 'payroll/0/0',
        massPayoutId: 'mp-1',
        attempts: [
          {
            n: 1,
            outcome: 'ACCEPTED',
            httpStatus: 200,
            traceId: 'trace-1',
            signedAt: '2026-11-21T09:01:00.000Z',
            endedAt: '2026-11-21T09:01:00.100Z',
          },
        ],
        lookups: [{ at: '2026-11-21T09:01:00.000Z', result: 'missed', afterAttempts: 0 }],
      },
      why: 'the service said so',
      next: expect.stringContaining('resend.csv'),
    });
  });

  it('prints it for people in order of time', async () => {
    const { run } = await worldWith(failed);
    const { out } = await run('explain', 'payroll', '3');
    const order = ['line 3 of good.csv', 'payroll/0/0', 'attempt 1', 'mp-1', 'the service said so'];
    const places = order.map((text) => out.indexOf(text));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
  });

  it('has the time of the outcome, and says where the hash of a paid row is', async () => {
    const { run, json } = await worldWith(paid);
    const at = '2026-11-21T09:02:00.000Z';
    expect((await json('explain', 'payroll', '3')).value['at']).toBe(at);
    const { out } = await run('explain', 'payroll', '3');
    expect(out).toMatch(/paid +since 2026-11-21 09:02:00 UTC\n/);
    expect(out).toMatch(/hash +not read yet. To read all: bursar reconcile payroll --save\n/);
  });

  it('prints why a row was refused', async () => {
    const { json } = await worldWith(paid, { file: 'one-bad.csv' });
    expect((await json('explain', 'payroll', '3')).value).toMatchObject({
      chunk: null,
      refusedFor: [{ code: 'AMOUNT_NOT_DECIMAL' }],
      next: expect.stringContaining('nack.csv'),
    });
  });

  it.each<{ what: string; went: Went; next: string }>`
    what           | went    | next
    ${'paid'}      | ${paid} | ${'nothing to do'}
    ${'under way'} | ${open} | ${'bursar watch payroll'}
  `('says what to do about a row that is $what', async ({ went, next }) => {
    const { run } = await worldWith(went);
    expect((await run('explain', 'payroll', '2')).out).toContain(next);
  });

  it('refers a question to the operator that only a person can answer', async () => {
    const { run } = await worldWith((store) => playDoubt(store, 'payroll'));
    const { out } = await run('explain', 'payroll', '2');
    expect(out).toContain('LOOKUP_UNPROVEN');
    expect(out).toContain('An operator must answer for chunk 0');
  });

  it('prints the ids to search for when the outcome of a row is unknown', async () => {
    const { run } = await worldWith(async (store) => {
      await playSettle(store, 'payroll', { outcome: 'UNKNOWN' });
      await playEnd(store, 'payroll', { state: 'PARTIAL' });
    });
    expect((await run('explain', 'payroll', '2')).out).toContain('Do not pay it again');
  });
});

describe('bursar report', () => {
  it('writes the report of an ended batch again', async () => {
    const made = await worldWith(failed);
    const { code, out } = await made.run('report', 'payroll');
    expect(code).toBe(0);
    expect(out).toContain('Report: runs/payroll/summary.html');
    const folder = join(made.world.cwd, 'runs/payroll');
    for (const file of ['report.json', 'report.csv', 'failed.csv', 'resend.csv', 'summary.html']) {
      expect(existsSync(join(folder, file))).toBe(true);
    }
    const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as object;
    expect(report).toMatchObject({ schema: 'bursar.report/v1', state: 'FAILED', accepted: [] });
  });

  it('prints the same object as status', async () => {
    const { json } = await worldWith(failed);
    const { value } = await json('status', 'payroll');
    expect((await json('report', 'payroll')).value).toEqual(value);
  });

  it('prints where an open batch stands, writes nothing, and ends with 8', async () => {
    const made = await worldWith(open);
    const { code, value } = await made.json('report', 'payroll');
    expect([code, value['state']]).toEqual([8, 'PAYING']);
    expect(existsSync(join(made.world.cwd, 'runs/payroll/report.json'))).toBe(false);
  });
});
