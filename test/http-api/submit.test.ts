import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { address, csv, GOOD, withFiles } from '../cli/support/files.ts';
import { type FakeWorld, fakeWorld, type WorldOptions } from '../cli/support/fake-world.ts';
import { payrollWorld } from '../cli/support/payroll-world.ts';
import { playEnd, playPlan, playSettle } from '../cli/support/play.ts';
import { inStore } from '../cli/support/in-store.ts';
import { payEarlier } from '../support/history-fixtures.ts';
import { decisionsIn } from '../support/decisions.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { Store } from '../../src/store/index.ts';
import { writableDb } from '../../src/store/database/writable.ts';
import { type Api, apiOf, tokenOf } from './support/api.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

type Plan = Readonly<{
  batchId: string;
  digest: string;
  choices: object;
  currencies: readonly { currency: string; total: string }[];
  problems: readonly { code: string }[];
  findings: readonly { code: string }[];
}>;

async function started(options: Partial<WorldOptions> = {}) {
  const world = fakeWorld({ cwd: temporaryFolder(), ...options });
  const api = await apiOf(world);
  closers.push(api.close);
  return { world, api };
}

async function upload({ server }: Api, text: string, name = 'good.csv', role = 'submit') {
  const answer = await server.inject({
    method: 'PUT',
    url: `/v1/files?name=${encodeURIComponent(name)}`,
    headers: { authorization: `Bearer ${tokenOf(role)}`, 'content-type': 'text/csv' },
    payload: text,
  });
  const { sha256, ...rest } = answer.json<{ sha256: string; name: string }>();
  return { status: answer.statusCode, file: { sha256, name: rest.name }, rest };
}

async function planned(api: Api, choices: object = { id: 'payroll' }, text = GOOD) {
  const { file } = await upload(api, text);
  const answer = await api.call('submit', 'POST /v1/plans', { body: { file, choices } });
  return { file, plan: answer.value as Plan, status: answer.status };
}

const confirmOf = ({ currencies }: Plan) =>
  currencies.map(({ currency, total }) => ({ currency, total }));

const submit = (api: Api, body: object) => api.call('submit', 'POST /v1/batches', { body });

describe('a program that submits over HTTP', () => {
  it('uploads a file, plans it as the command line does, and starts exactly that plan', async () => {
    const { world, api } = await started();
    const { status, rest } = await upload(api, GOOD, '../a folder/good.csv');
    expect([status, rest]).toMatchObject([200, { schema: 'bursar.file/v1', name: 'good.csv' }]);
    const { file, plan } = await planned(api);
    writeFileSync(join(world.world.cwd, 'good.csv'), GOOD);
    const { value } = await world.json('plan', 'good.csv', '--id', 'payroll', '--no-out');
    expect(plan).toMatchObject({ digest: value['digest'], chunkList: value['chunkList'] });
    const body = { file, plan, confirm: confirmOf(plan) };
    expect(await submit(api, body)).toMatchObject({
      status: 200,
      value: { batchId: 'payroll', digest: plan.digest, outcome: 'started' },
    });
    expect(world.engine.started).toMatchObject([
      {
        batchId: 'payroll',
        submittedBy: 'submiter',
        options: { expectedDigest: { digest: plan.digest } },
      },
    ]);
  });

  it('starts its plan when an earlier batch has made a note needless, and hands the notes on', async () => {
    const { world, api } = await started();
    const { file, plan } = await planned(api);
    await inStore(world, (store) =>
      payEarlier(store, 'earlier', [{ address: address(1), currency: 'USDT_TRC20' }]),
    );
    const { findings: _, ...unseen } = plan;
    const body = { file, plan: unseen, confirm: confirmOf(plan) };
    expect(await submit(api, body)).toMatchObject({ value: { code: 'PLAN_CHANGED' } });
    expect(await submit(api, { ...body, plan })).toMatchObject({ value: { outcome: 'started' } });
    expect(world.engine.started).toMatchObject([
      {
        options: { expectedDigest: { digest: plan.digest } },
        seenNotes: [{ code: 'FIRST_TIME_PAYEE', count: 3, rows: [4, 3, 2] }],
      },
    ]);
  });

  it('finds its batch by the same call again, and never another plan under the same id', async () => {
    const { world, api } = await started();
    const { file, plan } = await planned(api);
    const body = { file, plan, confirm: confirmOf(plan) };
    await submit(api, body);
    const [input] = world.engine.started;
    if (input === undefined) throw new Error('nothing was started');
    expect(await submit(api, body)).toMatchObject({ value: { outcome: 'exists' } });
    writeFileSync(join(world.world.cwd, 'good.csv'), GOOD);
    await inStore(world, (store) => playPlan(store, input, join(world.world.cwd, 'good.csv')));
    const other = await planned(api, { id: 'payroll' }, GOOD.replace('20,', '21,'));
    const otherBody = { file: other.file, plan: other.plan, confirm: confirmOf(other.plan) };
    expect(await submit(api, otherBody)).toMatchObject({
      status: 409,
      value: { code: 'BATCH_ID_TAKEN' },
    });
    expect(world.engine.started).toHaveLength(1);
  });

  it.each([
    ['other totals', [{ currency: 'USDT_TRC20', total: '60.6' }]],
    ['no totals', []],
  ])('starts nothing with %s', async (_what, confirm) => {
    const { world, api } = await started();
    const { file, plan } = await planned(api);
    expect(await submit(api, { file, plan, confirm })).toMatchObject({
      status: 409,
      value: { code: 'CONFIRMATION_WRONG' },
    });
    expect(world.engine.started).toEqual([]);
  });

  it.each([
    ['another digest', (plan: Plan) => ({ ...plan, digest: `sha256:${'0'.repeat(64)}` })],
    [
      'another choice',
      (plan: Plan) => ({ ...plan, choices: { ...plan.choices, accept: ['DUPLICATE_ROW'] } }),
    ],
  ])('starts nothing with %s, and the log has the try', async (_what, changed) => {
    const { world, api } = await started();
    const { file, plan } = await planned(api);
    const body = { file, plan: changed(plan), confirm: confirmOf(plan) };
    expect(await submit(api, body)).toMatchObject({ value: { code: 'PLAN_CHANGED' } });
    expect(world.engine.started).toEqual([]);
    const log = await inStore(world, (store) => decisionsIn(store));
    expect(log).toMatchObject([{ action: 'submit-rejected', detail: { code: 'PLAN_CHANGED' } }]);
  });

  it('reads the problems of a file in its plan, and cannot start it', async () => {
    const { world, api } = await started();
    const { file, plan } = await planned(api, {}, GOOD.replace('20,', '2E1,'));
    expect(plan.problems).toMatchObject([{ code: 'FILE_ROWS_REFUSED' }]);
    expect((await submit(api, { file, plan, confirm: [] })).status).toBe(400);
    expect(world.engine.started).toEqual([]);
  });

  it('needs the role submit for each step', async () => {
    const { api } = await started();
    expect((await upload(api, GOOD, 'good.csv', 'read')).status).toBe(403);
    const { file, plan } = await planned(api);
    const body = { file, plan, confirm: confirmOf(plan) };
    for (const [place, given] of [
      ['POST /v1/plans', { file }],
      ['POST /v1/batches', body],
    ] as const) {
      expect((await api.call('read', place, { body: given })).status).toBe(403);
    }
  });

  it.each([
    [{ at: '2026-11-21T08:00:00Z' }, 'AT_IN_PAST'],
    [{ at: 'tomorrow' }, 'REQUEST_INVALID'],
    [
      { at: '2026-12-01T08:00:00Z', executionDate: '2026-12-01T08:00:00Z' },
      'AT_AND_EXECUTION_DATE',
    ],
    [{ accept: ['NOTHING'] }, 'REQUEST_INVALID'],
    [{ expectTotals: ['1,5'] }, 'REQUEST_UNUSABLE'],
    [{ speed: 1 }, 'REQUEST_INVALID'],
  ])('has wrong choices refused: %j', async (choices, code) => {
    const { api } = await started();
    expect((await planned(api, choices)).plan).toMatchObject({ code });
  });

  it('cannot plan a file that nobody uploaded', async () => {
    const { api } = await started();
    const file = { sha256: '0'.repeat(64), name: 'x.csv' };
    const { status, value } = await api.call('submit', 'POST /v1/plans', { body: { file } });
    expect([status, value]).toMatchObject([404, { code: 'BLOB_MISSING' }]);
  });
});

describe('a plan over HTTP of a file with refused rows', () => {
  const BAD = csv('nowhere,10,USDT_TRC20');

  it('writes no file at the server, and names those that are read over HTTP', async () => {
    const { world, api } = await started();
    const runs = join(world.world.cwd, 'runs');
    const { plan } = await planned(api, { id: 'payroll' }, BAD);
    expect(plan).toMatchObject({ nack: 'nack.csv', toCorrect: 'to-correct.csv' });
    expect(existsSync(runs)).toBe(false);
  });

  it('which is submitted all the same leaves no file either', async () => {
    const { world, api } = await started();
    const { plan: good } = await planned(api);
    const { file } = await upload(api, BAD);
    const plan = { ...good, batchId: 'others' };
    const answer = await submit(api, { file, plan, confirm: confirmOf(good) });
    expect(answer).toMatchObject({ status: 422, value: { code: 'FILE_ROWS_REFUSED' } });
    expect(existsSync(join(world.world.cwd, 'runs'))).toBe(false);
  });

  it('is not made for a token that only reads', async () => {
    const { api } = await started();
    const { file } = await upload(api, BAD);
    const answer = await api.call('read', 'POST /v1/plans', { body: { file } });
    expect(answer).toMatchObject({ status: 403, value: { code: 'ROLE_TOO_LOW' } });
  });
});

/** A batch of two rows of 10, of which one failed. */
async function fakeTwins(failedRow: number): Promise<FakeWorld> {
  const file = csv(`${address(1)},10,USDT_TRC20`, `${address(2)},10,USDT_TRC20`);
  const world = fakeWorld({ cwd: withFiles(temporaryFolder(), { 'good.csv': file }) });
  await world.run('submit', 'good.csv', '--id', 'payroll', '--yes', '--detach');
  const [input] = world.engine.started;
  if (input === undefined) throw new Error('nothing was started');
  await inStore(world, async (store) => {
    await playPlan(store, input, join(world.world.cwd, 'good.csv'));
    await playSettle(store, 'payroll', { outcome: 'PAID' });
    await settleTwins(store, failedRow);
    await playEnd(store, 'payroll', { state: 'PARTIAL' });
  });
  return world;
}

async function settleTwins(store: Store, failedRow: number): Promise<void> {
  await writableDb(store).updateTable('chunk').set({ final: 0 }).execute();
  await store.settlements.save(
    { batchId: 'payroll', chunk: 0 },
    {
      massPayoutState: 'PARTIAL',
      final: true,
      defaultOutcome: { outcome: 'PAID', reason: '' },
      rows: [{ row: failedRow, chunk: 0, amount: '10', outcome: 'FAILED', reason: 'declined' }],
      fee: null,
      unclearSinceMs: null,
      keepsLookups: false,
      payoutFingerprint: null,
      reopened: 0,
    },
  );
}

describe('a program that resends over HTTP', () => {
  const failed = () =>
    payrollWorld(async (store) => {
      await playSettle(store, 'payroll', { outcome: 'FAILED' });
      await playEnd(store, 'payroll', { state: 'FAILED' });
    });

  it('pays the rows of its plan, whose totals it confirms', async () => {
    const world = await failed();
    const api = await apiOf(world);
    closers.push(api.close);
    const { value: shown } = await world.json('resend', 'payroll', '--dry-run');
    const place = 'POST /v1/batches/payroll/resend';
    const { value: plan } = await api.call('submit', `${place}-plan`, { body: {} });
    expect(plan).toEqual(shown);
    const confirm = [{ currency: 'USDT_TRC20', total: '60.5' }];
    expect(await api.call('submit', place, { body: { confirm } })).toMatchObject({ status: 400 });
    const { subject } = (plan as { submission: { subject: string } }).submission;
    const wrong = { subject, confirm: [], nothingResentElsewhere: true };
    expect(await api.call('submit', place, { body: wrong })).toMatchObject({
      value: { code: 'CONFIRMATION_WRONG' },
    });
    world.engine.started.length = 0;
    const body = { subject, confirm, nothingResentElsewhere: true };
    const { status, value } = await api.call('submit', place, { body });
    expect([status, value]).toMatchObject([200, { parentBatchId: 'payroll', generation: 1 }]);
    expect(world.engine.started).toMatchObject([
      { parentBatchId: 'payroll', submittedBy: 'submiter', statement: expect.any(String) },
    ]);
  });

  it('pays nothing where other rows with the same totals are left by now', async () => {
    const world = await fakeTwins(2);
    const api = await apiOf(world);
    closers.push(api.close);
    const place = 'POST /v1/batches/payroll/resend';
    const { value: plan } = await api.call('submit', `${place}-plan`, { body: {} });
    const { subject } = (plan as { submission: { subject: string } }).submission;
    await inStore(world, (store) => settleTwins(store, 3));
    const confirm = [{ currency: 'USDT_TRC20', total: '10' }];
    const body = { subject, confirm, nothingResentElsewhere: true };
    world.engine.started.length = 0;
    const { status, value } = await api.call('submit', place, { body });
    expect([status, value]).toMatchObject([422, { code: 'RESEND_CHANGED' }]);
    expect(world.engine.started).toEqual([]);
  });
});
