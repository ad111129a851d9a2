import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { leadMsFor } from '../support/lead-time.ts';
import { requestCount } from '../support/oracle.ts';
import type { SampleRow } from '../support/sample-file.ts';
import { newScheduleId, putFile, ruleAt, soonRule, untilRun } from '../support/schedules.ts';
import { fileOf, useScheduleStack } from './support/schedule-stack.ts';

jest.setTimeout(600_000);

const { stack, temporal, create, remove, trigger, expectPaidOnce, failuresOf, failedWorkflow } =
  useScheduleStack();

/** Cron knows no seconds: what waits for a due time waits for the same one here. */
describe('when its time comes', () => {
  const [onTime, withLead, paused] = [newScheduleId(), newScheduleId(), newScheduleId()];
  const hurried = newScheduleId();
  let soon: ReturnType<typeof soonRule>;
  let later: ReturnType<typeof ruleAt>;
  const rows = new Map<string, SampleRow[]>();

  beforeAll(async () => {
    soon = soonRule(await leadMsFor(stack(), 12));
    for (const id of [onTime, withLead, paused]) {
      rows.set(id, putFile(stack(), fileOf(id, soon.nominal)));
      await create(id, '--cron', soon.cron, ...(id === withLead ? ['--lead', '1h'] : []));
    }
    await stack().bursar('schedule', 'pause', paused, '--note', 'an audit');
    later = ruleAt(soon.dueMs + 60_000);
    rows.set(hurried, putFile(stack(), fileOf(hurried, later.nominal)));
    await create(hurried, '--cron', later.cron);
  });
  afterAll(async () => {
    for (const id of [onTime, withLead, paused, hurried]) await remove(id);
  });

  it.each(['ALLOW_ALL', 'SKIP'] as const)(
    'a "Backfill" (%s) of Temporal begins nothing ahead of its time',
    async (overlap) => {
      const handle = temporal().schedule.getHandle(`bursar/${hurried}`);
      const [next] = (await handle.describe()).info.nextActionTimes;
      const dueMs = next?.getTime() ?? 0;
      expect(dueMs).toBeGreaterThan(soon.dueMs);
      const around = { start: new Date(dueMs - 1_000), end: new Date(dueMs + 1_000) };
      const refused = await failuresOf(hurried);
      await handle.backfill({ ...around, overlap });
      const failures = await eventually('it is refused', async () => {
        const now = await failuresOf(hurried);
        return now.length > refused.length ? now : undefined;
      });
      expect(new Set(failures)).toEqual(new Set(['SCHEDULE_RUN_EARLY']));
      expect(Date.now()).toBeLessThan(dueMs - 60_000);
    },
  );

  it('a run with a lead has taken its file and waits; then it pays', async () => {
    const { nominal, dueMs } = soon;
    // Its hour has begun before it was created, so a person starts it.
    expect((await trigger(withLead, nominal)).code).toBe(0);
    const { batchId } = await untilRun(stack(), {
      scheduleId: withLead,
      nominal,
      state: 'RUNNING',
    });
    await eventually('it waits for its time', async () => {
      const { value } = await stack().json('status', batchId);
      return value['state'] === 'SCHEDULED' ? true : undefined;
    });
    expect(Date.now()).toBeLessThan(dueMs);
    const run = await untilRun(stack(), { scheduleId: withLead, nominal, state: 'ENDED' });
    expect([run.detail, Date.now() >= dueMs]).toEqual(['COMPLETED', true]);
    await expectPaidOnce(rows.get(withLead) ?? []);
  });

  it('a schedule pays its file once, after any repeated triggers', async () => {
    const { nominal, dueMs } = soon;
    const run = await untilRun(stack(), { scheduleId: onTime, nominal, state: 'ENDED' });
    expect(run).toMatchObject({
      detail: 'COMPLETED',
      batchId: `${onTime}-${nominal.slice(0, 10)}`,
    });
    await expectPaidOnce(rows.get(onTime) ?? []);

    const creates = await requestCount(stack().sandboxUrl, 'MASS_CREATE');
    const again = await trigger(onTime, nominal);
    expect([again.code, again.err.includes('SCHEDULE_RUN_TAKEN')]).toEqual([2, true]);
    const handle = temporal().schedule.getHandle(`bursar/${onTime}`);
    const around = { start: new Date(dueMs - 60_000), end: new Date(dueMs + 60_000) };
    await handle.backfill({ ...around, overlap: 'ALLOW_ALL' });
    await handle.trigger('ALLOW_ALL');
    expect(await failedWorkflow(onTime)).toBe('SCHEDULE_RUN_UNKNOWN');
    expect(await requestCount(stack().sandboxUrl, 'MASS_CREATE')).toBe(creates);
  });

  it('a paused schedule begins nothing, and shows the reason', async () => {
    const { nominal, dueMs } = soon;
    await eventually('its time is over', () => (Date.now() > dueMs + 1_500 ? true : undefined));
    const resumed = await stack().bursar('schedule', 'resume', paused);
    expect(resumed.err).toContain('1 run was skipped while it was paused');
    const run = await untilRun(stack(), { scheduleId: paused, nominal, state: 'SKIPPED' });
    expect(run.detail).toBe('the schedule was paused: an audit');
  });

  it('a run that failed to begin early happens once at its due time', async () => {
    const { nominal, dueMs } = later;
    const run = await untilRun(stack(), { scheduleId: hurried, nominal, state: 'ENDED' });
    expect([run.detail, Date.now() >= dueMs]).toEqual(['COMPLETED', true]);
    await expectPaidOnce(rows.get(hurried) ?? []);
  });
});
