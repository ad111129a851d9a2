import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { createTimetables } from '../../../src/activities/schedules/timetables.ts';
import type { Engine } from '../../../src/operations/engine/engine.ts';
import { connectEngine } from '../../../src/operations/engine/temporal-engine.ts';
import type { ScheduleDefinition } from '../../../src/contract/schedule.ts';
import { listedInstants } from '../../../src/contract/timetable.ts';
import { nextRuns } from '../../../src/domain/schedule/runs.ts';
import { LISTED_RUNS } from '../../../src/domain/schedule/timetable.ts';
import { definition } from '../../support/schedule-definitions.ts';
import { clearPlace } from '../../support/temporal/clear-place.ts';
import { sharedTemporal } from '../../support/temporal/shared-temporal.ts';

Runtime.install({ logger: new DefaultLogger('ERROR') });

const DAY_MS = 86_400_000;
const taskQueue = randomUUID();
const made: ScheduleDefinition = definition({
  scheduleId: `t-${taskQueue.slice(0, 8)}`,
  cron: '30 2 * * *',
  shift: 'after',
  timezone: 'Europe/Berlin',
});

let connection: Connection;
let client: Client;
let engine: Engine;
beforeAll(async () => {
  const { address, namespace } = sharedTemporal();
  connection = await Connection.connect({ address });
  client = new Client({ connection, namespace });
  engine = await connectEngine({ ...clearPlace(address, namespace), taskQueue });
});
afterEach(() => engine.schedules.remove(made.scheduleId));
afterAll(async () => {
  await engine.close();
  await connection.close();
});

const describeIt = () => client.schedule.getHandle(`bursar/${made.scheduleId}`).describe();

const aheadOf = (nowMs: number): number[] => [
  ...new Set(nextRuns(made, nowMs, LISTED_RUNS).map(({ startAtMs }) => startAtMs)),
];

const put = (nowMs: number) => engine.schedules.put(made, { nowMs, paused: false, note: '' });

describe('the list of runs in Temporal', () => {
  it('has the instants of the runs, and Temporal reads the same ones', async () => {
    const nowMs = Date.now();
    await put(nowMs);
    const { spec, info, policies, action } = await describeIt();
    const listed = listedInstants(spec.calendars).filter((ms) => ms > nowMs);
    expect(listed).toEqual(aheadOf(nowMs));
    expect(info.nextActionTimes.map((time) => time.getTime())).toEqual(listed.slice(0, 10));
    expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 600_000 });
    expect(action).toMatchObject({
      workflowType: 'scheduledBatch',
      taskQueue,
      args: [{ scheduleId: made.scheduleId, demand: null }],
    });
    expect(await engine.schedules.describe(made.scheduleId)).toMatchObject({ paused: false });
  });

  it('stays while half of it lies ahead, and is made longer then, with no other change', async () => {
    const nowMs = Date.now();
    await put(nowMs);
    await engine.schedules.pause(made.scheduleId, 'audit');
    const before = await describeIt();
    const timetables = createTimetables(() => client);
    expect(await timetables.sync(made, nowMs + 5 * DAY_MS)).toBe('paused');
    expect((await describeIt()).spec).toEqual(before.spec);

    const later = nowMs + 50 * DAY_MS;
    expect(await timetables.sync(made, later)).toBe('paused');
    const after = await describeIt();
    expect(listedInstants(after.spec.calendars)).toEqual(expect.arrayContaining(aheadOf(later)));
    const { policies, state } = after;
    expect({ policies, state }).toEqual({ policies: before.policies, state: before.state });
    // What is not set is written in another way.
    const { priority: _, ...action } = before.action;
    expect(after.action).toMatchObject(action);
  });

  it('is written again when a run moved, as when a country ends its clock changes', async () => {
    const nowMs = Date.now();
    await put(nowMs);
    const moved = { ...made, timezone: 'UTC' };
    await createTimetables(() => client).sync(moved, nowMs);
    const listed = listedInstants((await describeIt()).spec.calendars);
    const [first] = nextRuns(moved, nowMs, 1);
    expect(listed).toContain(first?.startAtMs);
    expect(listed).not.toContain(aheadOf(nowMs)[0]);
  });

  it('starts under other ids when those it had are used up, also after it is put again', async () => {
    const nowMs = Date.now();
    await put(nowMs);
    const before = await describeIt();
    await createTimetables(() => client).renewIds(made.scheduleId, 'abc');
    const workflowId = `schedule/${made.scheduleId}/again/abc`;
    const after = await describeIt();
    expect(after.action).toMatchObject({ workflowId, args: before.action.args });
    const { spec, policies, state } = before;
    expect(after).toMatchObject({ spec, policies, state });
    await put(nowMs);
    expect((await describeIt()).action.workflowId).toBe(workflowId);
  });

  it('is written again over an existing list', async () => {
    await put(Date.now());
    await engine.schedules.put(made, { nowMs: Date.now(), paused: true, note: 'audit' });
    expect(await engine.schedules.describe(made.scheduleId)).toMatchObject({ paused: true });
    expect((await describeIt()).state.note).toBe('audit');
  });
});

describe('an object that Temporal does not have', () => {
  it('is no failure for the command line', async () => {
    expect(await engine.schedules.describe('nobody')).toBeUndefined();
    await engine.schedules.pause('nobody', 'x');
    await engine.schedules.remove('nobody');
    await createTimetables(() => client).renewIds('nobody', 'x');
  });

  it('is reported as missing to an activity by the client of its worker', async () => {
    const { address, namespace, workflowBundle } = sharedTemporal();
    const native = await NativeConnection.connect({ address });
    const timetables = createTimetables();
    const seen: unknown[] = [];
    const worker = await Worker.create({
      connection: native,
      namespace,
      taskQueue,
      workflowBundle,
      activities: {
        claimRuns: async () => {
          seen.push(await timetables.sync(made, Date.now()));
          seen.push(await timetables.isRunning(`nobody-${taskQueue}`));
          seen.push(await timetables.isRunning(`schedule/${made.scheduleId}/run/x`));
          return { kind: 'claims', claims: [] };
        },
        listRuns: () => Promise.resolve(),
      },
    });
    await worker.runUntil(async () => {
      const demand = { nominal: 'x', by: 'alice', reason: 'y' };
      expect(await engine.schedules.demand(made.scheduleId, demand)).toBe('started');
      const handle = client.workflow.getHandle(`schedule/${made.scheduleId}/run/x`);
      await handle.result();
    });
    await native.close();
    expect(seen).toEqual(['unknown', false, true]);
  });

  it('is reported for a run that is started twice while it runs', async () => {
    const demand = { nominal: 'z', by: 'alice', reason: 'y' };
    expect(await engine.schedules.demand(made.scheduleId, demand)).toBe('started');
    expect(await engine.schedules.demand(made.scheduleId, demand)).toBe('exists');
    const handle = client.workflow.getHandle(`schedule/${made.scheduleId}/run/z`);
    await handle.terminate();
    expect(await engine.schedules.demand(made.scheduleId, demand)).toBe('started');
    await handle.terminate();
  });
});
