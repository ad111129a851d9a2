import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { checkSchedules } from '../../../src/activities/schedules/check-schedules.ts';
import { noteOf } from '../../../src/domain/errors/bursar-error.ts';
import { auditOf, createSchedule, definition } from '../../support/schedule-definitions.ts';
import { newBatch } from '../../support/store-fixtures.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { DUE, NOMINAL, type ScheduleWorld, scheduleWorld } from '../support/schedule-world.ts';

let world: ScheduleWorld;
beforeEach(async () => {
  world = await scheduleWorld(temporaryFolder());
});
afterEach(() => world.store.close());

const DAY_MS = 86_400_000;
const RUN = { scheduleId: 'rent', nominal: NOMINAL };
const TOO_LATE = DUE + 600_000 + 31_000;

const watch = (atMs: number): Promise<string> => {
  world.clock.nowMs = atMs;
  return checkSchedules(world.deps);
};

/** A run that a workflow has; with a file, its batch is under way. */
async function begin(workflowId: string, { file }: { file?: string } = {}): Promise<void> {
  world.clock.nowMs = DUE;
  await world.as(workflowId, ({ claimRuns }) =>
    claimRuns({ scheduleId: 'rent', startAt: '2026-05-04T09:00:00Z', demand: null }),
  );
  if (file === undefined) return;
  world.put('pay-2026-05-04.csv', file);
  await world.as(workflowId, ({ takeFile }) => takeFile({ ...RUN, demand: null }));
}

const find = () => world.store.scheduleRuns.find(RUN);

describe('the health check of schedules', () => {
  it('notifies a run that no workflow began, once', async () => {
    expect(await watch(DUE + 600_000)).toBe('1 schedules, 0 runs missed, 0 left behind');
    expect(await watch(TOO_LATE)).toBe('1 schedules, 1 runs missed, 0 left behind');
    expect(await watch(TOO_LATE + 60_000)).toBe('1 schedules, 0 runs missed, 0 left behind');
    expect(world.told).toHaveLength(1);
    expect(world.told[0]).toMatchObject({
      event: 'schedule.missed',
      key: `rent/${NOMINAL}`,
      data: { what: expect.stringMatching(/ was Temporal or every worker down\?$/) },
    });
    expect(await find()).toMatchObject({ state: 'MISSED', claimedBy: null });
    expect(await world.actions()).toEqual(['schedule-create', 'schedule-run-missed']);
  });

  it.each([
    ['paused', 'the schedule is paused in Temporal, and not by Bursar'],
    ['unknown', 'Temporal does not know the schedule; "bursar schedule resume" sets it up again'],
  ] as const)('reports that the schedule is %s in Temporal', async (standing, reason) => {
    world.temporal.standing = standing;
    await watch(TOO_LATE);
    expect(await find()).toMatchObject({ state: 'MISSED', detail: reason });
  });

  it('notifies a run that another health check stored before it crashed', async () => {
    const missed = { state: 'MISSED', detail: 'x', dueAtMs: DUE, atMs: 1 } as const;
    await world.store.scheduleRuns.note(RUN, missed);
    await watch(TOO_LATE);
    expect(world.told.map(({ key }) => key)).toEqual([`rent/${NOMINAL}`]);
  });

  it('notifies again when the notification failed', async () => {
    const { notify } = world.deps;
    let fails = true;
    Object.assign(world.deps, {
      notify: (news: Parameters<typeof notify>[0]) =>
        fails ? Promise.reject(new Error('no disk')) : notify(news),
    });
    await expect(watch(TOO_LATE)).rejects.toThrow('no disk');
    fails = false;
    await watch(TOO_LATE + 60_000);
    expect(world.told).toHaveLength(1);
  });

  it('does not call a run missed while the schedule was paused', async () => {
    const paused = { sinceMs: DUE - 1, note: 'audit' };
    await world.store.schedules.pause('rent', paused, auditOf('pause'));
    await watch(TOO_LATE);
    expect(await find()).toMatchObject({
      state: 'SKIPPED',
      detail: 'the schedule was paused: audit',
    });
    expect(world.told).toEqual([]);
  });

  it('names the run that another run had to wait for', async () => {
    await begin('schedule/rent-2026-05-04T09:00:00Z', { file: 'x' });
    world.running.add('schedule/rent-2026-05-04T09:00:00Z');
    await watch(TOO_LATE + DAY_MS);
    const next = { ...RUN, nominal: '2026-05-05T09:00' };
    expect(await world.store.scheduleRuns.find(next)).toMatchObject({
      state: 'MISSED',
      detail: `the run for ${NOMINAL} was still under way`,
    });
  });

  it('names that run also when it has ended since, long after its due time', async () => {
    await begin('schedule/rent-2026-05-04T09:00:00Z', { file: 'x' });
    world.running.add('schedule/rent-2026-05-04T09:00:00Z');
    await watch(TOO_LATE);
    world.clock.nowMs = DUE + DAY_MS + 60_000;
    await world.as('schedule/rent-2026-05-04T09:00:00Z', ({ endRun }) =>
      endRun({ ...RUN, kind: 'ended', batchId: 'rent-2026-05-04', state: 'COMPLETED' }),
    );
    await watch(TOO_LATE + DAY_MS);
    const next = { ...RUN, nominal: '2026-05-05T09:00' };
    const detail = `the run for ${NOMINAL} was still under way`;
    expect(await world.store.scheduleRuns.find(next)).toMatchObject({ state: 'MISSED', detail });
    expect(world.told).toMatchObject([{ data: { what: expect.stringContaining(detail) } }]);
  });

  it('does not blame a run that a person started: Temporal does not wait for it', async () => {
    await begin(`schedule/rent/run/${NOMINAL}`, { file: 'x' });
    world.running.add(`schedule/rent/run/${NOMINAL}`);
    await watch(TOO_LATE + DAY_MS);
    const next = { ...RUN, nominal: '2026-05-05T09:00' };
    expect((await world.store.scheduleRuns.find(next))?.detail).toContain('nothing began it');
  });

  it('checks every schedule, also after one that fails', async () => {
    await createSchedule(world.store, definition({ scheduleId: 'aaa' }), DUE - DAY_MS);
    const { sync } = world.deps.timetables;
    Object.assign(world.deps.timetables, {
      sync: (made: Parameters<typeof sync>[0], nowMs: number) =>
        made.scheduleId === 'aaa' ? Promise.reject(new Error('broken')) : sync(made, nowMs),
    });
    await expect(watch(TOO_LATE)).rejects.toThrow('broken');
    expect(world.told.map(({ data }) => data['scheduleId'])).toEqual(['aaa', 'rent']);
  });

  it('catches up with days without a worker', async () => {
    const text = await watch(DUE + 10 * DAY_MS + 700_000);
    expect(text).toBe('1 schedules, 11 runs missed, 0 left behind');
    expect(new Set(world.told.map(({ key }) => key)).size).toBe(11);
  });
});

describe('a run whose workflow is gone', () => {
  it('is left alone at first, and while its workflow runs', async () => {
    await begin('w1');
    world.running.add('w1');
    await watch(DUE + 3_600_000);
    world.running.delete('w1');
    await watch(DUE + 119_000);
    expect(await find()).toMatchObject({ state: 'STARTED' });
  });

  it('has failed when it has no batch, and is notified', async () => {
    await begin('w1');
    await watch(DUE + 180_000);
    expect(await find()).toMatchObject({ state: 'FAILED' });
    expect(world.told).toMatchObject([
      { event: 'schedule.failed', data: { code: 'SCHEDULE_RUN_STOPPED' } },
    ]);
  });

  it('has failed when its batch was never started', async () => {
    await begin('w1', { file: 'x' });
    await watch(DUE + 180_000);
    expect(await find()).toMatchObject({ state: 'FAILED', batchId: null, fileSha256: null });
  });

  it('has failed when its batch was rejected, and may be started again', async () => {
    await begin('w1', { file: 'x' });
    const { fileSha256 } = (await find()) ?? {};
    const batchId = 'rent-2026-05-04';
    await world.store.batches.register(newBatch(batchId, { fileSha256: fileSha256 ?? '' }));
    const error = noteOf('FILE_EMPTY', { file: 'a.csv' });
    await world.store.batches.end(batchId, { state: 'REJECTED', atMs: DUE + 1, error });
    expect(await watch(DUE + 180_000)).toContain('1 left behind');
    expect(await find()).toMatchObject({ state: 'FAILED', rejected: 1, batchId: null });
    expect(world.told).toMatchObject([{ event: 'schedule.failed', batchId }]);
  });

  it('ends with its batch, and not before', async () => {
    await begin('w1', { file: 'x' });
    world.running.add('batch/rent-2026-05-04');
    await watch(DUE + 180_000);
    expect(await find()).toMatchObject({ state: 'RUNNING' });
    world.running.clear();
    await world.store.batches.register(newBatch('rent-2026-05-04'));
    await watch(DUE + 240_000);
    expect(await find()).toMatchObject({ state: 'RUNNING' });
    const end = { state: 'PARTIAL', atMs: DUE + 250_000, error: null } as const;
    await world.store.batches.end('rent-2026-05-04', end);
    expect(await watch(DUE + 300_000)).toContain('1 left behind');
    expect(await find()).toMatchObject({ state: 'ENDED', detail: 'PARTIAL' });
    expect(world.told).toEqual([]);
  });
});
