import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createReportActivities } from '../../../src/activities/report/report.ts';
import { REOPENED_MAX } from '../../../src/domain/lineage/follow.ts';
import { readPlainCsv } from '../../support/oracle.ts';
import { verifyBatch } from '../../../src/report/verify/verify-batch.ts';
import { refused } from '../../support/fake-service.ts';
import { reportLines } from '../../support/row-outcomes.ts';
import {
  DAY_MS,
  type LineageWorld,
  lineageWorld,
  named,
  partialWorld,
  recordOf,
  ROOT,
  rowsOf,
} from '../support/lineage-world.ts';

let world: LineageWorld;
afterEach(() => world.store.close());

const dir = (): string => join(world.reportDir, ROOT);
const resendRows = (folder = dir()): string[] =>
  existsSync(join(folder, 'resend.csv'))
    ? readPlainCsv(join(folder, 'resend.csv')).map(([address = '']) => address)
    : [];
const addressOf = (row: number): string => rowsOf(row)[row - 2]?.address ?? '';
const endState = async () => (await world.store.batches.find(ROOT))?.endState;

const resolve = (...rows: readonly number[]): void => {
  world.service.say('payroll-0', {
    state: rows.length === 2 ? 'COMPLETED' : 'PARTIAL',
    withdrawalErrors: [3, 4].map((row) => named(row, rows.includes(row))),
  });
  for (const row of rows) world.service.records.set(`w${row}`, recordOf(ROOT, row, 'COMPLETED'));
};

describe('a batch that ended PARTIAL, after withdrawals were sent again in the interface of the service', () => {
  beforeEach(async () => {
    world = await partialWorld();
  });

  it('gets a new report with fewer rows to resend, new totals, and the changed outcomes', async () => {
    expect(resendRows()).toEqual([addressOf(3), addressOf(4)]);
    resolve(3);
    expect(await world.follow()).toMatchObject({
      changedRows: 1,
      unread: 0,
      version: 2,
      following: 1,
      next: null,
    });
    expect(resendRows()).toEqual([addressOf(4)]);
    const { revision, rows, state, amounts } = world.report();
    expect([state, rows.paid, rows.failed]).toEqual(['PARTIAL', 5, 1]);
    expect(revision).toMatchObject({
      version: 2,
      previousVersion: 1,
      changedRows: 1,
      changedAt: new Date(world.clock.nowMs).toISOString(),
      changes: [{ row: 3, currency: 'USDT_TRC20', amount: '2.5', before: 'FAILED', after: 'PAID' }],
    });
    expect(revision.before?.rows).toMatchObject({ paid: 4, failed: 2 });
    expect(revision.before?.amounts[0]).toMatchObject({ paid: '18', failed: '6' });
    expect(amounts[0]).toMatchObject({ paid: '20.5', failed: '3.5', requested: '24' });
  });

  it('is COMPLETED once all of it was paid, and is followed no more', async () => {
    resolve(3, 4);
    expect(await world.follow()).toMatchObject({ changedRows: 2, following: 0 });
    expect(await endState()).toBe('COMPLETED');
    expect(world.report()).toMatchObject({ state: 'COMPLETED', rows: { paid: 6, failed: 0 } });
    expect(resendRows()).toEqual([]);
    expect(await world.run(world.activities.endsToFollow, { batchId: ROOT })).toEqual([]);
  });

  it('never offers a row again that it reported as paid, however often the service returns FAILED', async () => {
    const offered = [resendRows()];
    const all = [2, 3, 4].map((row) => named(row));
    for (const row of [2, 3, 4])
      world.service.records.set(`w${row}`, recordOf(ROOT, row, 'FAILED'));
    for (const state of ['FAILED', 'IN_PROGRESS', 'CANCELED', 'FAILED']) {
      world.service.say('payroll-0', { state, withdrawalErrors: all });
      await world.follow();
      offered.push(resendRows());
      expect((await world.outcomes())[2]).toMatch(/^(PAID|UNKNOWN)$/);
    }
    expect((await world.outcomes())[2]).toBe('UNKNOWN');
    expect(new Set(offered.flat())).toEqual(new Set([addressOf(3), addressOf(4)]));
    const next = await world.begin(world.resendInput());
    expect(next.kind).toBe('ingested');
    expect(await world.rowsIn(`${ROOT}-r1`)).toEqual([3, 4]);
  });

  it('keeps every earlier report unchanged', async () => {
    const first = readFileSync(join(dir(), 'report.json'), 'utf8');
    resolve(3);
    await world.follow();
    const second = readFileSync(join(dir(), 'report.json'), 'utf8');
    resolve(3, 4);
    await world.follow();
    const kept = (version: number) =>
      readFileSync(join(dir(), 'versions', String(version), 'report.json'), 'utf8');
    expect([kept(1), kept(2)]).toEqual([first, second]);
    expect(resendRows(join(dir(), 'versions', '1'))).toEqual([addressOf(3), addressOf(4)]);
    expect(world.report().revision).toMatchObject({ version: 3, previousVersion: 2 });
  });

  it('keeps its newest report when a worker that was frozen writes the first one over it', async () => {
    const end: typeof world.store.batches.end = async (...args) => {
      resolve(3);
      await world.follow();
      cpSync(join(dir(), 'versions', '1', 'resend.csv'), join(dir(), 'resend.csv'));
      return world.store.batches.end(...args);
    };
    const store = { ...world.store, batches: { ...world.store.batches, end } };
    const { reportBatch } = createReportActivities({
      ...world.deps,
      store,
      checkBalance: () => Promise.resolve({ kind: 'done' }),
    });
    const input = { batchId: ROOT, unsentReason: null, canceled: false, error: null };
    await world.run(reportBatch, input);
    expect(resendRows()).toEqual([addressOf(4)]);
    expect(world.report()).toMatchObject({ revision: { version: 2 }, rows: { paid: 5 } });
  });

  it('reports rows that are on their way again, and keeps them out of the resend list until they are paid', async () => {
    world.service.say('payroll-0', { state: 'IN_PROGRESS' });
    expect(await world.follow()).toMatchObject({ changedRows: 2, following: 1 });
    expect(world.report().rows).toMatchObject({ paid: 4, failed: 0, inFlight: 2 });
    expect(resendRows()).toEqual([]);
    const investigated = reportLines(dir(), 'investigate.csv').map(({ address }) => address);
    expect(investigated).toEqual([addressOf(3), addressOf(4)]);
    resolve(3, 4);
    await world.follow();
    expect(world.report()).toMatchObject({ state: 'COMPLETED', revision: { version: 3 } });
  });

  it('reports rows that failed again', async () => {
    world.service.say('payroll-0', { state: 'IN_PROGRESS' });
    await world.follow();
    world.service.say('payroll-0', { state: 'PARTIAL' });
    await world.follow();
    expect(world.report().rows).toMatchObject({ paid: 4, failed: 2, inFlight: 0 });
    expect(resendRows()).toEqual([addressOf(3), addressOf(4)]);
  });

  it('is changed by the record of a withdrawal alone, while the mass payout has its old state', async () => {
    world.service.records.set('w4', recordOf(ROOT, 4, 'COMPLETED'));
    expect(await world.follow()).toMatchObject({ changedRows: 1 });
    expect(await world.outcomes()).toMatchObject({ 3: 'FAILED', 4: 'PAID' });
  });

  it('makes one version of several changes before a report could be written', async () => {
    const { reportDir } = world.deps;
    Object.assign(world.deps, { reportDir: '/dev/null/nowhere' });
    world.service.say('payroll-0', { state: 'IN_PROGRESS' });
    await expect(world.follow()).rejects.toThrow();
    Object.assign(world.deps, { reportDir });
    resolve(3, 4);
    await world.follow();
    expect(world.report().revision).toMatchObject({ version: 2, changedRows: 2 });
    expect(world.report().revision.before?.rows).toMatchObject({ paid: 4, failed: 2, inFlight: 0 });
  });

  it('gets the report that a crash prevented at the next read, though nothing changes any more', async () => {
    const { reportDir } = world.deps;
    Object.assign(world.deps, { reportDir: '/dev/null/nowhere' });
    resolve(3, 4);
    await expect(world.follow()).rejects.toThrow();
    expect(await endState()).toBe('PARTIAL');
    Object.assign(world.deps, { reportDir });
    expect(await world.run(world.activities.endsToFollow, { batchId: ROOT })).toHaveLength(1);
    expect(await world.follow()).toMatchObject({ changedRows: 0, version: 2 });
    expect(world.report().state).toBe('COMPLETED');
  });

  it('is changed once by two reads at the same time', async () => {
    resolve(3, 4);
    const both = await Promise.allSettled([world.follow(), world.follow()]);
    expect(both.map(({ status }) => status)).toContain('fulfilled');
    await world.follow();
    expect(world.report().revision).toMatchObject({ version: 2, changedRows: 2 });
    expect(await world.store.rechecks.toldIn(ROOT, 2)).toHaveLength(1);
  });

  it('stays as it was while the service does not answer, and is read again', async () => {
    world.service.fail = () => refused(503);
    expect(await world.follow()).toMatchObject({
      changedRows: 0,
      unread: 1,
      following: 1,
      version: 1,
    });
    expect(await world.outcomes()).toMatchObject({ 3: 'FAILED', 4: 'FAILED' });
  });

  it('has unknown rows, and no rows to resend, when the service changes its answer forever', async () => {
    for (let i = 0; i < 2 * REOPENED_MAX + 2; i += 1) {
      world.service.say('payroll-0', { state: i % 2 === 0 ? 'IN_PROGRESS' : 'PARTIAL' });
      await world.follow();
    }
    expect(await world.outcomes()).toMatchObject({
      2: 'PAID',
      3: 'UNKNOWN',
      4: 'UNKNOWN',
      5: 'PAID',
    });
    expect(resendRows()).toEqual([]);
    world.service.asked.length = 0;
    expect(await world.follow()).toMatchObject({ following: 0, changedRows: 0 });
    expect(world.service.asked).toEqual([]);
  });

  it('reads only the chunks that a webhook names, and only those whose outcomes can change', async () => {
    expect(await world.follow(ROOT, [1])).toMatchObject({ changedRows: 0 });
    expect(world.service.asked).toEqual([]);
    resolve(3);
    expect(await world.follow(ROOT, [0, 1, 99])).toMatchObject({ changedRows: 1 });
  });

  it('never turns a paid row into an unpaid one', async () => {
    world.service.say('payroll-0', { state: 'FAILED', withdrawalErrors: [], unreadableParts: [] });
    await world.follow();
    expect(await world.outcomes()).toMatchObject({ 2: 'UNKNOWN', 3: 'FAILED', 4: 'FAILED' });
    expect(resendRows()).toEqual([addressOf(3), addressOf(4)]);
  });

  it('ties out in every version, and the report that is written again is the newest', async () => {
    resolve(3);
    await world.follow();
    // The audit log goes on meanwhile; the page names where it stands too.
    const read = () => {
      const text = readFileSync(join(dir(), 'report.json'), 'utf8');
      const { audit: _audit, files: _files, ...told } = JSON.parse(text) as Record<string, unknown>;
      return told;
    };
    const before = read();
    await world.end(ROOT);
    expect(read()).toEqual(before);
  });
});

describe('the batches of a lineage to follow', () => {
  const toFollow = async (batchId = ROOT) =>
    (await world.run(world.activities.endsToFollow, { batchId })).map((one) => one.batchId);

  it('are those whose ends can change, the parents of a resend among them', async () => {
    world = await partialWorld();
    expect(await toFollow()).toEqual([ROOT]);
    await world.begin(world.resendInput());
    await world.pay('payroll-r1');
    await world.end('payroll-r1');
    expect(await toFollow('payroll-r1')).toEqual([ROOT]);
  });

  it('are none when the settings disable the rechecks, or when their time is over', async () => {
    world = await partialWorld({ followDays: 2 });
    world.clock.nowMs += 2 * DAY_MS - 1;
    expect(await toFollow()).toEqual([ROOT]);
    world.clock.nowMs += 1;
    expect(await toFollow()).toEqual([]);
    await world.store.close();
    world = await partialWorld({ followDays: 0 });
    expect(await toFollow()).toEqual([]);
  });

  it('are none of a batch that was paid to its end', async () => {
    world = await lineageWorld();
    await world.root(rowsOf(3));
    await world.pay(ROOT);
    await world.end(ROOT);
    expect(await toFollow()).toEqual([]);
    expect(await world.follow()).toMatchObject({ following: 0 });
  });
});

it.each([
  ['that is under way', ROOT, 'BATCH_OPEN', true],
  ['that the store does not have', 'nobody', 'BATCH_NOT_FOUND', false],
])('a batch %s is not followed', async (_what, batchId, code, nonRetryable) => {
  world = await lineageWorld();
  await world.root(rowsOf(3));
  await expect(world.follow(batchId)).rejects.toMatchObject({ type: code, nonRetryable });
});

it('of versions that a lost store kept none takes the place of its own, and its report is proven', async () => {
  world = await lineageWorld();
  await world.root(rowsOf(6));
  world.service.plan('payroll-0', { state: 'PARTIAL', withdrawalErrors: [named(3), named(4)] });
  for (const row of [3, 4]) world.service.records.set(`w${row}`, recordOf(ROOT, row, 'FAILED'));
  await world.pay(ROOT);
  for (const version of [1, 2]) {
    mkdirSync(join(dir(), 'versions', String(version)), { recursive: true });
    writeFileSync(join(dir(), 'versions', String(version), 'report.json'), 'of the lost store');
  }
  await world.end(ROOT);
  const first = readFileSync(join(dir(), 'report.json'), 'utf8');
  resolve(3);
  await world.follow();
  expect(readFileSync(join(dir(), 'versions', '1', 'report.json'), 'utf8')).toBe(first);
  const aside = readdirSync(join(dir(), 'versions'))
    .filter((name) => name !== '1')
    .toSorted();
  expect(aside).toEqual([
    expect.stringMatching(/^1-not-in-log-/),
    expect.stringMatching(/^2-not-in-log-/),
  ]);
  const { store, deps } = world;
  const { problems } = await verifyBatch(
    { store, blobs: deps.blobs },
    { batchId: ROOT, reportDir: dir(), head: null },
  );
  const ofFiles = problems.filter(({ code }) => code.startsWith('REPORT_'));
  expect(ofFiles).toEqual([]);
});
