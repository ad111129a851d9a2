import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { batchWorkflowId, partitionWorkflowId } from '../../src/contract/names.ts';
import { type BatchInHand, totalOf } from '../support/operators.ts';
import { writeSample } from '../support/sample-file.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import {
  ARRIVE,
  CHUNK_ROWS,
  CHUNKS,
  expectTheUsualEnd,
  idsOf,
  type RecoveryWorld,
  ROWS,
  startRecoveryWorld,
} from './support/recovery-world.ts';

jest.setTimeout(600_000);

let world: RecoveryWorld;
beforeAll(async () => {
  world = await startRecoveryWorld(sharedFolder());
});
afterAll(() => world?.stop());

const LARGE_CHUNKS = { BURSAR_BATCH_CHUNK_ROWS: '60' };

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
    over = await world.begin(world.rowsOf(4, 2));
    expect((await over.watch()).state).toBe('PARTIAL');
    const canceled = await world.begin(world.rowsOf(2), { flags: ['--at', nextYear] });
    await canceled.tell('cancel', 'the wrong month');
    expect((await canceled.watch()).state).toBe('CANCELED');
    open.asking = await world.begin(world.rowsOf(120), { env: LARGE_CHUNKS });
    await open.asking.isIn('AWAITING_APPROVAL');
    open.due = await world.begin(world.rowsOf(2), { flags: ['--at', nextYear] });
    await open.due.isIn('SCHEDULED');
    const again = ['resend', over.batchId, '--confirm-not-paid-elsewhere', '--at', nextYear];
    expect((await world.stack.bursar(...again, '--yes', '--detach')).code).toBe(8);
    open.again = world.hand(`${over.batchId}-r1`, []);
    await open.again.isIn('SCHEDULED');
    const made = ['--cron', '0 0 1 1 *', '--timezone', 'UTC', '--file', 'rent.csv', '--yes'];
    expect((await world.stack.bursar('schedule', 'create', scheduleId, ...made)).code).toBe(0);
    open.paying = await world.midSend(9);

    await world.loseTemporal();
    const { code, batches, schedules } = await world.recover('--dry-run');
    expect(code).toBe(0);
    const { asking, due, again: resend, paying } = open;
    expect(idsOf(batches)).toEqual([asking, due, resend, paying].map((batch) => batch?.batchId));
    expect(new Set(batches.map(({ found, done }) => `${found} ${done}`))).toEqual(
      new Set(['FORGOTTEN false']),
    );
    expect(schedules).toMatchObject([{ scheduleId, done: false }]);
    expect((await world.stack.bursar('status', batchOf('paying').batchId)).out).toContain(
      `bursar recover ${batchOf('paying').batchId}`,
    );
  });

  it('it goes on with them only when a person confirms the amounts that may be paid yet', async () => {
    const sent = await world.creates();
    const { code, value } = await world.stack.json('recover');
    expect([code, value['code']]).toEqual([2, 'CONFIRMATION_MISSING']);
    const { toPay } = await world.recover('--dry-run');
    const totals = toPay.map(({ total, currency }) => `${total}:${currency}`).join(',');
    expect((await world.stack.json('recover', '--confirm', '1:USDT_TRC20')).code).toBe(3);
    expect(await world.creates()).toBe(sent);
    const done = await world.recover('--confirm', totals);
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
    expect(await world.inTemporal((client) => isGone(client, id))).toBe(true);
    const before = await world.creates();
    const file = join(world.stack.folder, `${over.batchId}.csv`);
    const same = await world.stack.bursar('submit', file, '--id', over.batchId, '--yes');
    expect([same.code, same.err]).toEqual([10, expect.stringContaining('Nothing was started')]);
    const other = await world.stack.json('submit', file, '--id', `${over.batchId}-again`, '--yes');
    expect([other.code, other.value['what']]).toEqual([
      13,
      expect.stringContaining('SAME_FILE_AGAIN'),
    ]);
    expect(await world.creates()).toBe(before);
  });

  it('there is nothing left to recover then', async () => {
    const { out } = await world.stack.bursar('recover');
    expect(out).toContain('Nothing to recover');
    const { value } = await world.stack.json('schedule', 'show', scheduleId);
    expect(value['temporal']).toBe('at work');
  });
});

const bothWorkflows = ({ batchId }: BatchInHand) => [
  batchWorkflowId(batchId),
  partitionWorkflowId(batchId, 0),
];

describe('after the workflows of a batch are terminated in the web UI', () => {
  let batch: BatchInHand;

  it('nothing more is sent', async () => {
    batch = await world.midSend(5);
    await world.inTemporal(async (client) => {
      for (const id of bothWorkflows(batch))
        await client.workflow.getHandle(id).terminate('a slip');
    });
    await world.stack.kill('worker');
    await world.service.clearFaults();
    await world.stack.start('worker');
    expect(await world.recover('--dry-run')).toMatchObject({
      code: 0,
      batches: [{ batchId: batch.batchId, found: 'ENDED_BY_FORCE', state: 'PAYING' }],
    });
    expect(await batch.sent()).toHaveLength(ARRIVE * CHUNK_ROWS);
    expect((await world.stack.bursar('watch', batch.batchId)).code).toBe(14);
  });

  it('recover goes on with it, and no row is paid twice, after a second recover too', async () => {
    const [first, second] = await Promise.all([
      world.recover(batch.batchId, '--yes'),
      world.recover(batch.batchId, '--yes'),
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
  const batch = await world.midSend(7);
  await world.inTemporal(async (client) => {
    for (const id of bothWorkflows(batch)) await reset(client, id);
  });
  expect(await batch.sent()).toHaveLength(ARRIVE * CHUNK_ROWS);
  await world.service.clearFaults();
  await expectTheUsualEnd(batch, [10, 'PARTIAL']);
});

/** The last one: its second worker stays. */
it('when two people submit one file at once, and two workers carry it out, each chunk is sent once', async () => {
  await world.service.clearFaults();
  await world.stack.startAnotherWorker();
  const before = await world.creates();
  const rows = world.rowsOf(ROWS, 10);
  const batchId = 'twice';
  const file = join(world.stack.folder, `${batchId}.csv`);
  writeSample(file, rows);
  const submit = () => world.stack.bursar('submit', file, '--id', batchId, '--yes');
  const ends = await Promise.all([submit(), submit()]);
  expect(ends.map(({ code }) => code)).toEqual([10, 10]);
  await expectTheUsualEnd(world.hand(batchId, rows), [10, 'PARTIAL']);
  expect((await world.creates()) - before).toBe(CHUNKS);
});
