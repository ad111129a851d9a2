import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import { batchWorkflowId, partitionWorkflowId } from '../../src/contract/names.ts';
import { eventually } from '../support/eventually.ts';
import { type BatchInHand, type Operators, operatorsOf, totalOf } from '../support/operators.ts';
import { requestCount } from '../support/oracle.ts';
import { type OwnTemporal, startOwnTemporal } from '../support/own-temporal.ts';
import { QUICK_FENCE } from '../support/quick-fence.ts';
import { sampleRows, type SampleRow, writeSample } from '../support/sample-file.ts';
import { sandboxControl } from '../support/sandbox-control.ts';
import { incomingOf } from '../support/schedules.ts';
import { copyStore, restoreStore } from '../support/store-copy.ts';
import { bobApproves, writeKeyFiles } from '../support/signing-people.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

const CHUNK_ROWS = 2;
const CHUNKS = 12;
const ROWS = CHUNKS * CHUNK_ROWS;
/** Chunks of a batch that arrive before something happens to it. */
const ARRIVE = 5;

const LARGE_CHUNKS = { BURSAR_BATCH_CHUNK_ROWS: '60' };

let stack: TestStack;
let temporal: OwnTemporal;
let people: Operators;
let service: ReturnType<typeof sandboxControl>;
const folder = sharedFolder();

/** Bob approves what is above 200, and alice signs every submit. */
const APPROVALS = {
  ...bobApproves('USDT_TRC20'),
  BURSAR_APPROVAL_TIERS: JSON.stringify([{ above: '200', approvals: 1, roles: ['finance'] }]),
};

beforeAll(async () => {
  temporal = await startOwnTemporal(folder);
  stack = await startTestStack({
    folder,
    temporalAddress: temporal.address,
    env: {
      ...QUICK_FENCE,
      ...APPROVALS,
      BURSAR_BATCH_CHUNK_ROWS: String(CHUNK_ROWS),
      BURSAR_BATCH_CHUNKS_IN_FLIGHT: '2',
      BURSAR_SCHEDULE_FOLDER: incomingOf({ folder }),
    },
  });
  writeKeyFiles(folder);
  service = sandboxControl(stack.sandboxUrl);
  // Whatever is sent twice is paid twice.
  await service.play({ idempotency: 'ignores-key' });
  people = await operatorsOf(stack);
});
afterAll(async () => {
  await people?.close();
  await stack?.stop();
  await temporal?.stop();
});

let rowsUsed = 0;
/** Rows that no other batch has. */
function rowsOf(count: number, failEvery = 0): SampleRow[] {
  rowsUsed += count;
  const from = rowsUsed - count;
  return sampleRows({ rows: count, from, failEvery, currencies: ['USDT_TRC20'] });
}

const creates = () => requestCount(stack.sandboxUrl, 'MASS_CREATE');

const arrived = (batch: BatchInHand, chunks: number) =>
  eventually(
    `${chunks} chunks arrive`,
    async () => (await batch.sent()).length === chunks * CHUNK_ROWS || undefined,
  );

/** From now on so many creates arrive, and of the others nobody hears until the faults are cleared. */
const letArrive = async (chunks: number): Promise<void> => {
  await service.clearFaults();
  await service.fault({ target: 'MASS_CREATE', kind: 'hang-before', skip: chunks });
};

/** A batch of which some chunks have arrived, two are on their way for ever, and the others were not sent. */
async function midSend(failEvery: number): Promise<BatchInHand> {
  await letArrive(ARRIVE);
  const batch = await people.begin(rowsOf(ROWS, failEvery));
  await arrived(batch, ARRIVE);
  await eventually('a create hangs', async () => (await service.fired()) > 0 || undefined);
  return batch;
}

/** Everything that ran in Temporal is gone, and workers and bridge begin anew. */
async function loseTemporal(meanwhile: () => void = () => undefined): Promise<void> {
  await stack.kill('worker');
  await stack.stopOne('bridge');
  await temporal.kill();
  for (const suffix of ['', '-wal', '-shm']) {
    rmSync(join(folder, `temporal.db${suffix}`), { force: true });
  }
  meanwhile();
  await service.clearFaults();
  await temporal.start();
  await stack.start('bridge');
  await stack.start('worker');
}

type Recovery = Readonly<{
  batches: readonly Readonly<{ batchId: string; found: string; done: boolean; state: string }>[];
  schedules: readonly Readonly<{ scheduleId: string; done: boolean }>[];
  toPay: readonly Readonly<{ currency: string; total: string }>[];
  followed: readonly string[];
}>;

async function recover(...flags: string[]): Promise<Recovery & Readonly<{ code: number }>> {
  const { code, value } = await stack.json('recover', ...flags);
  return { code, ...(value as unknown as Recovery) };
}

const idsOf = (batches: readonly Readonly<{ batchId: string }>[]): string[] =>
  batches.map(({ batchId }) => batchId);

/** The batch ends as if nothing had happened: each chunk was sent once, and each row was paid once. */
async function expectTheUsualEnd(batch: BatchInHand, end: readonly [number, string]) {
  const { code, state } = await batch.watch();
  expect([code, state]).toEqual(end);
  await batch.outcomes();
  const sent = await batch.sent();
  expect(sent).toHaveLength(batch.rows.length);
}

describe('when the database of Temporal is lost', () => {
  const open: Record<'paying' | 'asking' | 'due' | 'again', BatchInHand | undefined> = {
    paying: undefined,
    asking: undefined,
    due: undefined,
    again: undefined,
  };
  const batchOf = (name: keyof typeof open): BatchInHand => {
    const batch = open[name];
    if (batch === undefined) throw new Error(`there is no batch ${name}`);
    return batch;
  };
  let over: BatchInHand;
  const nextYear = `${new Date().getUTCFullYear() + 1}-01-01T00:00:00Z`;
  const scheduleId = 'rent';

  it('recover finds the open batches, and those only', async () => {
    over = await people.begin(rowsOf(4, 2));
    expect((await over.watch()).state).toBe('PARTIAL');
    const canceled = await people.begin(rowsOf(2), { flags: ['--at', nextYear] });
    await canceled.tell('cancel', 'the wrong month');
    expect((await canceled.watch()).state).toBe('CANCELED');
    open.asking = await people.begin(rowsOf(120), { env: LARGE_CHUNKS });
    await open.asking.isIn('AWAITING_APPROVAL');
    open.due = await people.begin(rowsOf(2), { flags: ['--at', nextYear] });
    await open.due.isIn('SCHEDULED');
    const again = ['resend', over.batchId, '--nothing-resent-elsewhere', '--at', nextYear];
    expect((await stack.bursar(...again, '--yes', '--detach')).code).toBe(8);
    open.again = people.hand(`${over.batchId}-r1`, []);
    await open.again.isIn('SCHEDULED');
    const made = ['--cron', '0 0 1 1 *', '--timezone', 'UTC', '--file', 'rent.csv', '--yes'];
    expect((await stack.bursar('schedule', 'create', scheduleId, ...made)).code).toBe(0);
    open.paying = await midSend(9);

    await loseTemporal();
    const { code, batches, schedules } = await recover('--dry-run');
    expect(code).toBe(0);
    const { asking, due, again: resend, paying } = open;
    expect(idsOf(batches)).toEqual([asking, due, resend, paying].map((batch) => batch?.batchId));
    expect(new Set(batches.map(({ found, done }) => `${found} ${done}`))).toEqual(
      new Set(['FORGOTTEN false']),
    );
    expect(schedules).toMatchObject([{ scheduleId, done: false }]);
    expect((await stack.bursar('status', batchOf('paying').batchId)).out).toContain(
      `bursar recover ${batchOf('paying').batchId}`,
    );
  });

  it('it goes on with them only when a person confirms the amounts that may be paid yet', async () => {
    const sent = await creates();
    const { code, value } = await stack.json('recover');
    expect([code, value['code']]).toEqual([2, 'CONFIRMATION_MISSING']);
    const { toPay } = await recover('--dry-run');
    const totals = toPay.map(({ total, currency }) => `${total}:${currency}`).join(',');
    expect((await stack.json('recover', '--confirm', '1:USDT_TRC20')).code).toBe(3);
    expect(await creates()).toBe(sent);
    const done = await recover('--confirm', totals);
    expect(done.code).toBe(0);
    expect(done.batches.filter((batch) => batch.done)).toHaveLength(4);
    expect(done.schedules).toMatchObject([{ scheduleId, done: true }]);
    expect(done.followed).toContain(over.batchId);
  });

  it('batches under way are paid to their end, no row twice', () =>
    expectTheUsualEnd(batchOf('paying'), [10, 'PARTIAL']));

  it('batches that wait for people and times wait for them as before', async () => {
    const asking = batchOf('asking');
    await batchOf('due').isIn('SCHEDULED');
    await batchOf('again').isIn('SCHEDULED');
    await asking.isIn('AWAITING_APPROVAL');
    expect(await asking.sent()).toEqual([]);
    expect(await asking.approve('bob', totalOf(asking.rows))).toEqual([0, undefined]);
    await expectTheUsualEnd(asking, [0, 'COMPLETED']);
    expect(await batchOf('due').sent()).toEqual([]);
    await batchOf('due').tell('cancel', 'it was a test');
    await batchOf('again').tell('cancel', 'it was a test');
    expect((await batchOf('due').watch()).state).toBe('CANCELED');
    expect((await batchOf('again').watch()).state).toBe('CANCELED');
  });

  it('a batch that had ended is forgotten, as after its retention, and the same file is paid no second time', async () => {
    const id = batchWorkflowId(over.batchId);
    expect(await inTemporal((client) => isGone(client, id))).toBe(true);
    const before = await creates();
    const file = join(folder, `${over.batchId}.csv`);
    const same = await stack.bursar('submit', file, '--id', over.batchId, '--yes');
    expect([same.code, same.err]).toEqual([10, expect.stringContaining('nothing was started')]);
    const other = await stack.json('submit', file, '--id', `${over.batchId}-again`, '--yes');
    expect([other.code, other.value['what']]).toEqual([
      13,
      expect.stringContaining('SAME_FILE_AGAIN'),
    ]);
    expect(await creates()).toBe(before);
  });

  it('there is nothing left to recover then', async () => {
    const { out } = await stack.bursar('recover');
    expect(out).toContain('Nothing to recover');
    const { value } = await stack.json('schedule', 'show', scheduleId);
    expect(value['temporal']).toBe('at work');
  });
});

const bothWorkflows = ({ batchId }: BatchInHand) => [
  batchWorkflowId(batchId),
  partitionWorkflowId(batchId, 0),
];

/** A client of Temporal, as people have one in its web UI. */
async function inTemporal<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
  const connection = await Connection.connect({ address: temporal.address });
  try {
    return await work(new Client({ connection }));
  } finally {
    await connection.close();
  }
}

describe('after the workflows of a batch are terminated in the web UI', () => {
  let batch: BatchInHand;

  it('nothing more is sent', async () => {
    batch = await midSend(5);
    await inTemporal(async (client) => {
      for (const id of bothWorkflows(batch))
        await client.workflow.getHandle(id).terminate('a slip');
    });
    await stack.kill('worker');
    await service.clearFaults();
    await stack.start('worker');
    expect(await recover('--dry-run')).toMatchObject({
      code: 0,
      batches: [{ batchId: batch.batchId, found: 'ENDED_BY_FORCE', state: 'PAYING' }],
    });
    expect(await batch.sent()).toHaveLength(ARRIVE * CHUNK_ROWS);
    expect((await stack.bursar('watch', batch.batchId)).code).toBe(14);
  });

  it('recover goes on with it, and no row is paid twice, after a second recover too', async () => {
    const [first, second] = await Promise.all([
      recover(batch.batchId, '--yes'),
      recover(batch.batchId, '--yes'),
    ]);
    expect([first.code, second.code]).toEqual([0, 0]);
    const done = [first, second].flatMap(({ batches }) => batches.filter((one) => one.done));
    expect(done).toHaveLength(1);
    await expectTheUsualEnd(batch, [10, 'PARTIAL']);
  });
});

async function isGone(client: Client, workflowId: string): Promise<boolean> {
  try {
    await client.workflow.getHandle(workflowId).describe();
    return false;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return true;
    throw error;
  }
}

/** Has a workflow begin anew, as the web UI does. */
async function reset(client: Client, workflowId: string): Promise<void> {
  const handle = client.workflow.getHandle(workflowId);
  const { runId } = await handle.describe();
  const { events } = await handle.fetchHistory();
  const first = events?.find((event) => event.workflowTaskCompletedEventAttributes)?.eventId;
  await client.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId, runId },
    reason: 'a slip',
    requestId: `${workflowId} ${runId}`,
    workflowTaskFinishEventId: first ?? null,
  });
}

it('after a reset of the workflows of a batch to their first task, nothing is sent twice', async () => {
  const batch = await midSend(7);
  await inTemporal(async (client) => {
    for (const id of bothWorkflows(batch)) await reset(client, id);
  });
  expect(await batch.sent()).toHaveLength(ARRIVE * CHUNK_ROWS);
  await service.clearFaults();
  await expectTheUsualEnd(batch, [10, 'PARTIAL']);
});

describe('when the database of Temporal is lost, and the store is brought back from an older copy', () => {
  /** Chunks that arrived after the copy was taken. */
  const FORGOTTEN = 4;
  const SENT_ROWS = (ARRIVE + FORGOTTEN) * CHUNK_ROWS;
  let batch: BatchInHand;

  it('recover adopts mass payouts that the copy lacks, and sends nothing more until a person resumes it', async () => {
    batch = await midSend(6);
    await stack.kill('worker');
    const copy = copyStore(folder);
    await letArrive(FORGOTTEN);
    await stack.start('worker');
    await arrived(batch, ARRIVE + FORGOTTEN);

    await loseTemporal(() => restoreStore(folder, copy));
    const { code, batches } = await recover('--store', 'older', '--yes');
    expect([code, idsOf(batches)]).toEqual([0, [batch.batchId]]);
    await batch.isHeld('PAUSE');
    await eventually('all is adopted that was sent', async () => {
      const { chunks } = (await batch.status()) as { chunks: { byState: Record<string, number> } };
      const { PLANNED: unsent = 0, SENDING: inDoubt = 0 } = chunks.byState;
      return CHUNKS - unsent - inDoubt === ARRIVE + FORGOTTEN || undefined;
    });
    expect(await batch.sent()).toHaveLength(SENT_ROWS);
  });

  it('then it is paid to its end, no row twice', async () => {
    expect(await batch.tell('resume', 'looked at')).toEqual([0, undefined]);
    await expectTheUsualEnd(batch, [10, 'PARTIAL']);
  });
});

describe('when the store alone is brought back from a copy that is older than a batch', () => {
  it('recover has the batch begin again, adopt its mass payouts, and wait for a person before it sends more', async () => {
    const copy = copyStore(folder);
    const paid = await people.begin(rowsOf(4));
    await expectTheUsualEnd(paid, [0, 'COMPLETED']);
    const paying = await midSend(8);
    await stack.kill('worker');
    await stack.stopOne('bridge');
    restoreStore(folder, copy);
    await service.clearFaults();
    await stack.start('bridge');
    await stack.start('worker');
    expect((await recover('--dry-run')).batches).toEqual([]);
    const { batches } = await recover('--store', 'older', '--yes');
    expect(batches).toMatchObject(
      [paying, paid].map(({ batchId }) => ({ batchId, found: 'UNKNOWN_TO_STORE', done: true })),
    );
    await expectTheUsualEnd(paid, [0, 'COMPLETED']);
    // The store does not know that it was ever allowed to pay.
    await paying.isHeld('APPROVAL');
    expect(await paying.sent()).toHaveLength(ARRIVE * CHUNK_ROWS);
    expect(await paying.tell('resume', 'looked at')).toEqual([0, undefined]);
    await expectTheUsualEnd(paying, [10, 'PARTIAL']);
  });
});

/** The last one: its second worker stays. */
it('when two people submit one file at once, and two workers carry it out, each chunk is sent once', async () => {
  await service.clearFaults();
  await stack.startAnotherWorker();
  const before = await creates();
  const rows = rowsOf(ROWS, 10);
  const batchId = 'twice';
  const file = join(folder, `${batchId}.csv`);
  writeSample(file, rows);
  const submit = () => stack.bursar('submit', file, '--id', batchId, '--yes');
  const ends = await Promise.all([submit(), submit()]);
  expect(ends.map(({ code }) => code)).toEqual([10, 10]);
  await expectTheUsualEnd(people.hand(batchId, rows), [10, 'PARTIAL']);
  expect((await creates()) - before).toBe(CHUNKS);
});
