import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { eventually } from '../support/eventually.ts';
import { leadMsFor } from '../support/lead-time.ts';
import { ledgerWithdrawals, readReport, requestCount } from '../support/oracle.ts';
import type { SampleRow } from '../support/sample-file.ts';
import {
  daysBefore,
  failedRunCodes,
  incomingOf,
  newScheduleId,
  putFile,
  ruleAt,
  soonRule,
  toldByFile,
  untilRun,
  untilRunFails,
  untilTold,
} from '../support/schedules.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { sharedTemporal } from '../support/temporal/shared-temporal.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

let stack: TestStack;
let connection: Connection;
let temporal: Client;

beforeAll(async () => {
  const folder = sharedFolder();
  stack = await startTestStack({ folder, env: toldByFile(folder) });
  connection = await Connection.connect({ address: sharedTemporal().address });
  temporal = new Client({ connection, namespace: 'default' });
});
afterAll(async () => {
  await connection.close();
  await stack.stop();
});

const fileOf = (scheduleId: string, nominal: string): string =>
  `${scheduleId}-${nominal.slice(0, 10)}.csv`;

/** A schedule that takes `<id>-<date>.csv`. */
async function create(scheduleId: string, ...flags: string[]): Promise<void> {
  const made = ['--timezone', 'UTC', '--file', `${scheduleId}-{date}.csv`, '--yes'];
  const { code, err } = await stack.bursar('schedule', 'create', scheduleId, ...made, ...flags);
  if (code !== 0) throw new Error(err);
}

const remove = (scheduleId: string) => stack.bursar('schedule', 'delete', scheduleId, '--yes');

const trigger = (scheduleId: string, nominal: string) =>
  stack.bursar(
    ...['schedule', 'trigger', scheduleId, '--run', nominal, '--reason', 'a test', '--yes'],
  );

/** Whether the sandbox paid each of these rows, and each once. */
async function expectPaidOnce(rows: readonly SampleRow[]): Promise<void> {
  const wanted = rows.map(({ address, amount }) => `${address} ${amount}`);
  const paid = (await ledgerWithdrawals(stack.sandboxUrl))
    .filter(({ state }) => state === 'COMPLETED')
    .map(({ depositAddress, amount }) => `${depositAddress} ${amount}`)
    .filter((one) => wanted.includes(one));
  expect(paid.sort()).toEqual(wanted.sort());
}

const failuresOf = (scheduleId: string) => failedRunCodes(temporal, scheduleId);

const failedWorkflow = (scheduleId: string) => untilRunFails(temporal, scheduleId);

/** Cron knows no seconds: what waits for a due time waits for the same one here. */
describe('when its time comes', () => {
  const [onTime, withLead, paused] = [newScheduleId(), newScheduleId(), newScheduleId()];
  const hurried = newScheduleId();
  let soon: ReturnType<typeof soonRule>;
  let later: ReturnType<typeof ruleAt>;
  const rows = new Map<string, SampleRow[]>();

  beforeAll(async () => {
    soon = soonRule(await leadMsFor(stack, 12));
    for (const id of [onTime, withLead, paused]) {
      rows.set(id, putFile(stack, fileOf(id, soon.nominal)));
      await create(id, '--cron', soon.cron, ...(id === withLead ? ['--lead', '1h'] : []));
    }
    await stack.bursar('schedule', 'pause', paused, '--note', 'an audit');
    later = ruleAt(soon.dueMs + 60_000);
    rows.set(hurried, putFile(stack, fileOf(hurried, later.nominal)));
    await create(hurried, '--cron', later.cron);
  });
  afterAll(async () => {
    for (const id of [onTime, withLead, paused, hurried]) await remove(id);
  });

  it.each(['ALLOW_ALL', 'SKIP'] as const)(
    'a "Backfill" (%s) of Temporal begins nothing ahead of its time',
    async (overlap) => {
      const handle = temporal.schedule.getHandle(`bursar/${hurried}`);
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
    const { batchId } = await untilRun(stack, { scheduleId: withLead, nominal, state: 'RUNNING' });
    await eventually('it waits for its time', async () => {
      const { value } = await stack.json('status', batchId);
      return value['state'] === 'SCHEDULED' ? true : undefined;
    });
    expect(Date.now()).toBeLessThan(dueMs);
    const run = await untilRun(stack, { scheduleId: withLead, nominal, state: 'ENDED' });
    expect([run.detail, Date.now() >= dueMs]).toEqual(['COMPLETED', true]);
    await expectPaidOnce(rows.get(withLead) ?? []);
  });

  it('a schedule pays its file once, after any repeated triggers', async () => {
    const { nominal, dueMs } = soon;
    const run = await untilRun(stack, { scheduleId: onTime, nominal, state: 'ENDED' });
    expect(run).toMatchObject({
      detail: 'COMPLETED',
      batchId: `${onTime}-${nominal.slice(0, 10)}`,
    });
    await expectPaidOnce(rows.get(onTime) ?? []);

    const creates = await requestCount(stack.sandboxUrl, 'MASS_CREATE');
    const again = await trigger(onTime, nominal);
    expect([again.code, again.err.includes('SCHEDULE_RUN_TAKEN')]).toEqual([2, true]);
    const handle = temporal.schedule.getHandle(`bursar/${onTime}`);
    const around = { start: new Date(dueMs - 60_000), end: new Date(dueMs + 60_000) };
    await handle.backfill({ ...around, overlap: 'ALLOW_ALL' });
    await handle.trigger('ALLOW_ALL');
    expect(await failedWorkflow(onTime)).toBe('SCHEDULE_RUN_UNKNOWN');
    expect(await requestCount(stack.sandboxUrl, 'MASS_CREATE')).toBe(creates);
  });

  it('a paused schedule begins nothing, and shows the reason', async () => {
    const { nominal, dueMs } = soon;
    await eventually('its time is over', () => (Date.now() > dueMs + 1_500 ? true : undefined));
    const resumed = await stack.bursar('schedule', 'resume', paused);
    expect(resumed.err).toContain('1 run was skipped while it was paused');
    const run = await untilRun(stack, { scheduleId: paused, nominal, state: 'SKIPPED' });
    expect(run.detail).toBe('the schedule was paused: an audit');
  });

  it('a run that failed to begin early happens once at its due time', async () => {
    const { nominal, dueMs } = later;
    const run = await untilRun(stack, { scheduleId: hurried, nominal, state: 'ENDED' });
    expect([run.detail, Date.now() >= dueMs]).toEqual(['COMPLETED', true]);
    await expectPaidOnce(rows.get(hurried) ?? []);
  });
});

it('a run without a good file fails visibly and pays nothing; mended, it can be started, once', async () => {
  const scheduleId = newScheduleId();
  const { cron, nominal } = soonRule(3_600_000);
  await create(scheduleId, '--cron', cron);
  const [past, older] = [daysBefore(nominal, 1), daysBefore(nominal, 2)];
  const missingText = `There is no file ${fileOf(scheduleId, past)}`;
  const creates = await requestCount(stack.sandboxUrl, 'MASS_CREATE');

  expect((await trigger(scheduleId, past)).code).toBe(0);
  const missing = await untilRun(stack, { scheduleId, nominal: past, state: 'FAILED' });
  expect(missing.detail).toContain(missingText);
  const workflow = temporal.workflow.getHandle(`schedule/${scheduleId}/run/${past}`);
  await eventually('its workflow fails', async () =>
    (await workflow.describe()).status.name === 'FAILED' ? true : undefined,
  );
  expect(await untilTold(stack, scheduleId, 'schedule.failed')).toMatchObject([
    { data: { run: past, what: expect.stringContaining(missingText) } },
  ]);
  expect(await requestCount(stack.sandboxUrl, 'MASS_CREATE')).toBe(creates);

  const rows = putFile(stack, fileOf(scheduleId, past));
  expect((await trigger(scheduleId, past)).code).toBe(0);
  const run = await untilRun(stack, { scheduleId, nominal: past, state: 'ENDED' });
  const { state, rows: counts } = readReport(join(stack.folder, 'runs', run.batchId));
  expect([state, counts.paid]).toEqual(['COMPLETED', rows.length]);
  await expectPaidOnce(rows);
  expect(await requestCount(stack.sandboxUrl, 'MASS_CREATE')).toBe(creates + 1);

  const inFolder = (name: string): string => join(incomingOf(stack), name);
  copyFileSync(inFolder(fileOf(scheduleId, past)), inFolder(fileOf(scheduleId, older)));
  await trigger(scheduleId, older);
  const unchanged = await untilRun(stack, { scheduleId, nominal: older, state: 'FAILED' });
  expect(unchanged.detail).toContain(`is the very file that the run for ${past} took`);
  expect(await requestCount(stack.sandboxUrl, 'MASS_CREATE')).toBe(creates + 1);
  await remove(scheduleId);
  expect((await trigger(scheduleId, older)).err).toContain('SCHEDULE_DELETED');
});

it('a run whose file is rejected fails, waits in the inbox, and is paid once when it is mended', async () => {
  const scheduleId = newScheduleId();
  const { cron, nominal } = soonRule(3_600_000);
  await create(scheduleId, '--cron', cron);
  const past = daysBefore(nominal, 1);
  const name = fileOf(scheduleId, past);
  const creates = await requestCount(stack.sandboxUrl, 'MASS_CREATE');
  writeFileSync(join(incomingOf(stack), name), 'address,amount,currency\n');

  await trigger(scheduleId, past);
  const failed = await untilRun(stack, { scheduleId, nominal: past, state: 'FAILED' });
  const first = `${scheduleId}-${past.slice(0, 10)}`;
  expect(failed.detail).toContain(`Batch ${first} of the run for ${past} was rejected`);
  expect(await untilTold(stack, scheduleId, 'schedule.failed')).toMatchObject([
    { data: { run: past, code: 'SCHEDULE_BATCH_REJECTED' } },
  ]);
  const { value } = await stack.json('inbox');
  const items = value['items'] as Record<string, unknown>[];
  expect(items.filter((item) => item['scheduleId'] === scheduleId)).toMatchObject([
    { kind: 'RUN', run: past, missing: [`FAILED: ${failed.detail}`] },
  ]);
  const workflow = temporal.workflow.getHandle(`schedule/${scheduleId}/run/${past}`);
  await eventually('its workflow fails', async () =>
    (await workflow.describe()).status.name === 'FAILED' ? true : undefined,
  );

  const rows = putFile(stack, name);
  expect((await trigger(scheduleId, past)).code).toBe(0);
  const run = await untilRun(stack, { scheduleId, nominal: past, state: 'ENDED' });
  expect([run.detail, run.batchId]).toEqual(['COMPLETED', `${first}-2`]);
  await expectPaidOnce(rows);
  expect((await trigger(scheduleId, past)).err).toContain('SCHEDULE_RUN_TAKEN');
  expect(await requestCount(stack.sandboxUrl, 'MASS_CREATE')).toBe(creates + 1);
  await remove(scheduleId);
});
