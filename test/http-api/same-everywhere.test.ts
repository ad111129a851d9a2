import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { methodsIn } from '../../src/app/methods.ts';
import { type AnyOperation, isListing } from '../../src/app/operation.ts';
import { ALL_OPERATIONS, OPERATIONS } from '../../src/app/operations.ts';
import { createBursar } from '../../src/library.ts';
import { keepOpen } from '../../src/operations/keep-open.ts';
import { keyFile, TOTALS, worldThatWaits } from '../cli/support/approvals.ts';
import type { FakeWorld } from '../cli/support/fake-world.ts';
import { address } from '../cli/support/files.ts';
import { payrollWorld } from '../cli/support/payroll-world.ts';
import { playDoubt, playEnd, playSettle } from '../cli/support/play.ts';
import { walletWorld } from '../cli/support/wallet-world.ts';
import { apiOf } from './support/api.ts';

const paid = () =>
  payrollWorld(async (store) => {
    await playSettle(store, 'payroll', { outcome: 'PAID' });
    await playEnd(store, 'payroll', { state: 'COMPLETED' });
  });
const failed = () =>
  payrollWorld(async (store) => {
    await playSettle(store, 'payroll', { outcome: 'FAILED' });
    await playEnd(store, 'payroll', { state: 'FAILED' });
  });
const open = () => payrollWorld(async () => undefined);
const inDoubt = () => payrollWorld((store) => playDoubt(store, 'payroll'));
const reported = async () => {
  const world = await paid();
  await world.run('report', 'payroll');
  return world;
};
const scheduled = async () => {
  const world = await open();
  await world.run('schedule', 'create', 'rent', ...RULE, '--yes');
  return world;
};

const ANN = { address: address(1) };
const withPayee = async () => {
  const world = await paid();
  await world.run('payees', 'allow', ANN.address, '--reason', 'known');
  await world.run('payees', 'name', ANN.address, 'Ann Lee');
  return world;
};

/** One world for each way: the result names files in its folder. */
const once = (make: () => Promise<FakeWorld>) => {
  let made: Promise<FakeWorld> | undefined;
  return () => (made ??= make());
};
const paidOnce = once(paid);
const inWallet = once(() => walletWorld());

type Case = Readonly<{
  world(): Promise<FakeWorld>;
  input: object;
  /** The command line that prints the same; missing: there is none. */
  args?: readonly string[];
}>;

const BATCH = { batchId: 'payroll' };
const ACT = { ...BATCH, reason: 'why' };
const WHY = ['--reason', 'why'];

const RENT = { scheduleId: 'rent' };
const DEFINITION = { cron: '0 9 * * *', timezone: 'UTC', file: 'pay-{date}.csv' };
const RULE = ['--cron', '0 9 * * *', '--timezone', 'UTC', '--file', 'pay-{date}.csv'];
const RUN = { ...RENT, run: '2026-11-20T09:00', reason: 'why' };
const DAYS = { ...RENT, from: '2026-11-19', to: '2026-11-20', reason: 'why' };

/** The same in each world: it hashes rows and choices. */
async function subjectOfResend(): Promise<string> {
  const { value } = await (await failed()).json('resend', 'payroll', '--dry-run');
  return (value['submission'] as { subject: string }).subject;
}

/** One for each operation. An operation without one does not compile. */
const CASES: Readonly<Record<keyof typeof OPERATIONS, Case>> = {
  listBatches: { world: paid, input: { limit: 5 }, args: ['list', '--limit', '5'] },
  showBatch: { world: paid, input: BATCH, args: ['status', 'payroll'] },
  followBatch: { world: paid, input: BATCH },
  listRows: { world: paid, input: BATCH, args: ['rows', 'payroll'] },
  explainRow: {
    world: paid,
    input: { ...BATCH, row: 3 },
    args: ['explain', 'payroll', '3'],
  },
  find: { world: paid, input: { word: 'mp-1' }, args: ['find', 'mp-1'] },
  listReportFiles: { world: reported, input: BATCH },
  writeReport: { world: paidOnce, input: BATCH, args: ['report', 'payroll'] },
  refreshReport: { world: paid, input: BATCH },
  verifyBatch: { world: reported, input: BATCH, args: ['verify', 'payroll'] },
  reconcileBatch: { world: inWallet, input: BATCH, args: ['reconcile', 'payroll'] },
  approvalQuestion: { world: worldThatWaits, input: BATCH },
  decideBatch: { world: worldThatWaits, input: BATCH },
  pauseBatch: { world: open, input: ACT, args: ['pause', 'payroll', ...WHY] },
  liftableHolds: { world: open, input: ACT },
  resumeBatch: { world: open, input: ACT, args: ['resume', 'payroll', ...WHY] },
  cancelBatch: { world: open, input: ACT, args: ['cancel', 'payroll', ...WHY] },
  answerQuestion: { world: inDoubt, input: { ...ACT, chunk: 0, answer: 'not-created' } },
  resolveChunk: {
    world: inDoubt,
    input: { ...ACT, chunk: 0, answer: 'not-created' },
    args: ['resolve', 'payroll', '0', 'not-created', ...WHY],
  },
  readFunds: { world: open, input: {}, args: ['funds'] },
  readInbox: { world: open, input: {}, args: ['inbox'] },
  listPeople: { world: open, input: {} },
  showPlace: { world: open, input: {} },
  readAuditLog: { world: paid, input: { all: true }, args: ['audit', '--all'] },
  listSchedules: { world: scheduled, input: {}, args: ['schedule', 'list'] },
  showSchedule: {
    world: scheduled,
    input: { scheduleId: 'rent' },
    args: ['schedule', 'show', 'rent'],
  },
  previewSchedule: {
    world: open,
    input: { ...RENT, definition: DEFINITION, count: 3, from: '2026-12-01' },
    args: ['schedule', 'preview', 'rent', ...RULE, '--count', '3', '--from', '2026-12-01'],
  },
  planSchedule: { world: open, input: { ...RENT, definition: DEFINITION } },
  createSchedule: {
    world: open,
    input: { ...RENT, definition: DEFINITION },
    args: ['schedule', 'create', 'rent', ...RULE, '--yes'],
  },
  planTrigger: { world: scheduled, input: RUN },
  triggerSchedule: {
    world: scheduled,
    input: RUN,
    args: ['schedule', 'trigger', 'rent', '--run', RUN.run, ...WHY, '--yes'],
  },
  planBackfill: { world: scheduled, input: DAYS },
  backfillSchedule: {
    world: scheduled,
    input: DAYS,
    args: [
      ...['schedule', 'backfill', 'rent', '--from', DAYS.from, '--to', DAYS.to, ...WHY],
      '--yes',
    ],
  },
  pauseSchedule: {
    world: scheduled,
    input: { scheduleId: 'rent', note: 'why' },
    args: ['schedule', 'pause', 'rent', '--note', 'why'],
  },
  resumeSchedule: {
    world: scheduled,
    input: { scheduleId: 'rent' },
    args: ['schedule', 'resume', 'rent'],
  },
  deleteSchedule: {
    world: scheduled,
    input: { scheduleId: 'rent' },
    args: ['schedule', 'delete', 'rent', '--yes'],
  },
  planFile: { world: open, input: { file: { sha256: '0'.repeat(64), name: 'x.csv' } } },
  submitFile: { world: open, input: {} },
  planResend: {
    world: failed,
    input: { parentBatchId: 'payroll' },
    args: ['resend', 'payroll', '--dry-run'],
  },
  resendBatch: {
    world: failed,
    input: {
      parentBatchId: 'payroll',
      subject: await subjectOfResend(),
      confirm: [{ currency: 'USDT_TRC20', total: '60.5' }],
      nothingResentElsewhere: true,
    },
  },
  listPayees: {
    world: withPayee,
    input: { search: 'ann' },
    args: ['payees', 'list', '--search', 'ann'],
  },
  showPayee: { world: withPayee, input: ANN, args: ['payees', 'show', ANN.address] },
  decidePayee: {
    world: withPayee,
    input: { ...ANN, decision: 'DENIED', reason: 'why' },
    args: ['payees', 'deny', ANN.address, ...WHY],
  },
  namePayee: {
    world: withPayee,
    input: { ...ANN, name: 'Bob' },
    args: ['payees', 'name', ANN.address, 'Bob'],
  },
  emailPayee: {
    world: withPayee,
    input: { ...ANN, email: 'ann@example.com' },
    args: ['payees', 'email', ANN.address, 'ann@example.com'],
  },
  labelPayee: {
    world: withPayee,
    input: { ...ANN, labels: ['staff', 'berlin'] },
    args: ['payees', 'label', ANN.address, 'staff', 'berlin'],
  },
  importPayees: { world: withPayee, input: { file: { sha256: '0'.repeat(64), name: 'x.csv' } } },
};

/** A result, or the code of an error. */
type Result = Readonly<Record<string, unknown>>;

async function byLibrary(operation: AnyOperation, { world, input }: Case): Promise<Result> {
  const made = await world();
  const shared = keepOpen(made.world.open);
  const methods = methodsIn({
    ...made.world,
    open: shared,
    say: () => undefined,
    show: () => undefined,
    clear: () => undefined,
    mayAsk: false,
    ask: async () => undefined,
    askSecret: async () => undefined,
    stdin: { stream: Readable.from([]), isTty: false },
  });
  const method = methods[operation.name as keyof typeof methods] as (given: object) => unknown;
  try {
    if (!isListing(operation)) return await (method(input) as Promise<Result>);
    const list = method(input) as {
      open(): Promise<{ about: object; items: AsyncIterable<object> }>;
    };
    const { about, items } = await list.open();
    const all: object[] = [];
    for await (const item of items) all.push(item);
    return { schema: operation.names.schema, ...about, [operation.names.array]: all };
  } catch (error) {
    return { code: (error as { code?: string }).code ?? 'INTERNAL' };
  } finally {
    await shared.close();
  }
}

async function byHttp({ http }: AnyOperation, { world, input }: Case): Promise<Result> {
  const api = await apiOf(await world(), { names: { operate: 'alice' } });
  const fields = new Map(Object.entries(input));
  const place = http.replaceAll(/:(\w+)/g, (_, field: string) => {
    const value = String(fields.get(field));
    fields.delete(field);
    return value;
  });
  const rest = Object.fromEntries(fields) as Record<string, string>;
  const isRead = place.startsWith('GET ');
  const query = isRead ? `?${new URLSearchParams(rest).toString()}` : '';
  const answer = await api.call('operate', `${place}${query}`, isRead ? {} : { body: rest });
  await api.close();
  const value = answer.value as Result;
  return answer.status === 200 ? value : { code: value['code'] };
}

async function byCommandLine({ world, args = [] }: Case): Promise<Result> {
  const { value } = await (await world()).json(...args);
  return value['schema'] === 'bursar.error/v1' ? { code: value['code'] } : value;
}

describe.each(ALL_OPERATIONS.map((operation) => [operation.name, operation] as const))(
  '%s',
  (name, operation) => {
    const { world, ...rest } = CASES[name as keyof typeof OPERATIONS];

    it('gives the same JSON in the library, over HTTP and on the command line', async () => {
      // Two stores differ in random names. An operation that changes nothing sees one store.
      const shared = operation.role === 'read' ? world() : undefined;
      const played = { ...rest, world: () => shared ?? world() };
      const there = await byLibrary(operation, played);
      expect(await byHttp(operation, played)).toEqual(there);
      if (played.args !== undefined) expect(await byCommandLine(played)).toEqual(there);
      if ('code' in there && Object.keys(there).length === 1) return;
      // A field that the schema does not have is left out by parsing, and would be missing here.
      if (!isListing(operation)) return expect(operation.result.parse(there)).toEqual(there);
      expect(operation.about.safeParse(there).error).toBeUndefined();
      const items = there[operation.names.array] as object[];
      expect(items.map((item) => operation.item.parse(item))).toEqual(items);
    });
  },
);

it('a signed approval is the same on each way', async () => {
  const [here, there] = [await worldThatWaits(), await worldThatWaits()];
  const approve = ['approve', 'payroll', '--confirm', TOTALS];
  const { value } = await here.json(...approve, '--key', keyFile(here, 'bob'));
  const api = await apiOf(there);
  const url = await api.server.listen({ host: '127.0.0.1', port: 0 });
  Object.assign(there.world.env, { BURSAR_SERVER: url, BURSAR_SERVER_TOKEN: 'bursar_operate' });
  expect(await there.json(...approve, '--key', keyFile(there, 'bob'))).toEqual({ code: 0, value });
  await api.close();
});

it('a workbook of a report is the same on each way', async () => {
  const world = await reported();
  const { value } = await world.json('report', 'payroll', '--out', 'copy', '--xlsx');
  expect(value).toMatchObject({ schema: 'bursar.report-copy/v1', workbooks: ['report.xlsx'] });
  const printed = readFileSync(join(world.world.cwd, 'copy/report.xlsx'));
  const { cwd, env } = world.world;
  // The store answers without Temporal. This address answers nothing.
  await using bursar = createBursar({ cwd, env: { ...env, TEMPORAL_ADDRESS: '127.0.0.1:9' } });
  const file = await bursar.openReportFile({ ...BATCH, name: 'report.xlsx' });
  expect([file.name, file.sizeBytes]).toEqual(['report.xlsx', null]);
  expect(await buffer(file.bytes)).toEqual(printed);
  const api = await apiOf(world);
  const { rawPayload } = await api.server.inject({
    url: '/v1/batches/payroll/report/report.xlsx',
    headers: { authorization: 'Bearer bursar_read' },
  });
  expect(rawPayload).toEqual(printed);
  await api.close();
});
