import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { eventually } from '../support/eventually.ts';
import { expectExactlyOnce, readReport, requestCount } from '../support/oracle.ts';
import {
  daysBefore,
  incomingOf,
  newScheduleId,
  putFile,
  soonRule,
  untilRun,
} from '../support/schedules.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { sharedTemporal } from '../support/temporal/shared-temporal.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(240_000);

let stack: TestStack;
let connection: Connection;
let temporal: Client;

beforeAll(async () => {
  stack = await startTestStack({ folder: sharedFolder() });
  connection = await Connection.connect({ address: sharedTemporal().address });
  temporal = new Client({ connection, namespace: 'default' });
});
afterAll(async () => {
  await connection.close();
  await stack.stop();
});

type Run = Readonly<{ run: string; dueAt: string; beginsAt: string }>;

async function create(scheduleId: string, ...flags: string[]): Promise<void> {
  const { code, out, err } = await stack.bursar(
    ...[
      'schedule',
      'create',
      scheduleId,
      '--timezone',
      'UTC',
      '--file',
      `${scheduleId}-{date}.csv`,
    ],
    ...['--yes', ...flags],
  );
  if (code !== 0) throw new Error(`${out}\n${err}`);
}

const trigger = (scheduleId: string, nominal: string) =>
  stack.bursar(
    ...['schedule', 'trigger', scheduleId, '--run', nominal, '--reason', 'a test', '--yes'],
  );

const batchOf = async (batchId: string) => {
  const { value } = await stack.json('watch', batchId);
  return value as { state: string; submittedBy?: string };
};

describe('a schedule', () => {
  it('pays its file when the time comes, once, whoever asks again', async () => {
    const scheduleId = newScheduleId();
    const { cron, nominal, dueMs } = soonRule(12_000);
    const rows = putFile(stack, `${scheduleId}-${nominal.slice(0, 10)}.csv`, 30);
    await create(scheduleId, '--cron', cron);
    const run = await untilRun(stack, { scheduleId, nominal, state: 'ENDED' });
    expect(run).toMatchObject({ batchId: `${scheduleId}-${nominal.slice(0, 10)}` });
    expect(run.detail).toBe('COMPLETED');
    expect(Date.now()).toBeGreaterThanOrEqual(dueMs);
    await expectExactlyOnce(stack.sandboxUrl, join(stack.folder, 'runs', run.batchId), rows);

    const creates = await requestCount(stack.sandboxUrl, 'MASS_CREATE');
    const again = await trigger(scheduleId, nominal);
    expect([again.code, again.err.includes('SCHEDULE_RUN_TAKEN')]).toEqual([2, true]);
    await temporal.schedule.getHandle(`bursar/${scheduleId}`).backfill({
      ...{ start: new Date(dueMs - 60_000), end: new Date(dueMs + 60_000), overlap: 'ALLOW_ALL' },
    });
    await temporal.schedule.getHandle(`bursar/${scheduleId}`).trigger('ALLOW_ALL');
    const refused = await eventually('a trigger of Temporal is refused', async () => {
      const query = `WorkflowType = 'scheduledBatch' AND ExecutionStatus = 'Failed'`;
      for await (const one of temporal.workflow.list({ query })) {
        if (one.workflowId.startsWith(`schedule/${scheduleId}-`)) return one;
      }
      return undefined;
    });
    const failure = await temporal.workflow.getHandle(refused.workflowId).result().catch(String);
    expect(failure).toContain('Workflow execution failed');
    expect(await requestCount(stack.sandboxUrl, 'MASS_CREATE')).toBe(creates);
    await stack.bursar('schedule', 'delete', scheduleId, '--yes');
  });

  it('is told to Temporal as the instants that the preview shows, and as nothing else', async () => {
    const scheduleId = newScheduleId();
    const rule = ['--cron', '30 2 29-31 * *', '--timezone', 'Europe/Berlin', '--shift', 'after'];
    const flags = [...rule, '--weekend', 'sat', '--lead', '2h', '--file', 'x-{date}.csv'];
    const preview = await stack.json('schedule', 'preview', ...flags, '--count', '60');
    const created = await stack.bursar('schedule', 'create', scheduleId, ...flags, '--yes');
    expect(created.code).toBe(0);
    const begins = (preview.value['runs'] as Run[]).map(({ beginsAt }) => beginsAt);
    const { spec, info, policies } = await temporal.schedule
      .getHandle(`bursar/${scheduleId}`)
      .describe();
    const unique = [...new Set(begins)];
    expect(info.nextActionTimes.map((time) => time.toISOString())).toEqual(unique.slice(0, 10));
    const listed = (spec.calendars ?? []).map((entry) => entry.comment?.replace('run for ', ''));
    const nominals = (preview.value['runs'] as Run[]).map(({ run }) => run);
    expect(listed.flatMap((comment) => comment?.split(', ') ?? [])).toEqual(
      expect.arrayContaining(nominals),
    );
    expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 7_200_000 + 600_000 });
    await stack.bursar('schedule', 'delete', scheduleId, '--yes');
  });
});

describe('a run without a good file', () => {
  it('fails for everybody to see and pays nothing; mended, it can be started, once', async () => {
    const scheduleId = newScheduleId();
    const { cron, nominal } = soonRule(3_600_000);
    await create(scheduleId, '--cron', cron);
    const [past, older] = [daysBefore(nominal, 1), daysBefore(nominal, 2)];
    const nameOf = (run: string) => `${scheduleId}-${run.slice(0, 10)}.csv`;
    const creates = await requestCount(stack.sandboxUrl, 'MASS_CREATE');

    expect((await trigger(scheduleId, past)).code).toBe(0);
    const missing = await untilRun(stack, { scheduleId, nominal: past, state: 'FAILED' });
    expect(missing.detail).toContain(`There is no file ${nameOf(past)}`);
    const workflow = temporal.workflow.getHandle(`schedule/${scheduleId}/run/${past}`);
    expect((await workflow.describe()).status.name).toBe('FAILED');
    expect(stack.output('worker')).toContain(`schedule.failed: There is no file ${nameOf(past)}`);
    expect(await requestCount(stack.sandboxUrl, 'MASS_CREATE')).toBe(creates);

    const rows = putFile(stack, nameOf(past));
    expect((await trigger(scheduleId, past)).code).toBe(0);
    const run = await untilRun(stack, { scheduleId, nominal: past, state: 'ENDED' });
    expect(await batchOf(run.batchId)).toMatchObject({ state: 'COMPLETED' });
    const report = readReport(join(stack.folder, 'runs', run.batchId));
    expect(report.rows).toMatchObject({ total: rows.length, paid: rows.length });
    expect(await requestCount(stack.sandboxUrl, 'MASS_CREATE')).toBe(creates + 1);

    const incoming = incomingOf(stack);
    copyFileSync(join(incoming, nameOf(past)), join(incoming, nameOf(older)));
    await trigger(scheduleId, older);
    const unchanged = await untilRun(stack, { scheduleId, nominal: older, state: 'FAILED' });
    expect(unchanged.detail).toContain(`is the very file that the run for ${past} took`);
    rmSync(join(incoming, nameOf(older)));
    await stack.bursar('schedule', 'delete', scheduleId, '--yes');
    expect((await trigger(scheduleId, older)).err).toContain('SCHEDULE_NOT_FOUND');
  });
});

describe('a run with a lead', () => {
  it('takes its file before, and pays at its due time', async () => {
    const scheduleId = newScheduleId();
    const { cron, nominal, dueMs } = soonRule(15_000);
    putFile(stack, `${scheduleId}-${nominal.slice(0, 10)}.csv`);
    await create(scheduleId, '--cron', cron, '--lead', '1h');
    expect((await trigger(scheduleId, nominal)).code).toBe(0);
    const { batchId } = await untilRun(stack, { scheduleId, nominal, state: 'RUNNING' });
    await eventually('it waits for its time', async () => {
      const { value } = await stack.json('status', batchId);
      return value['state'] === 'SCHEDULED' ? true : undefined;
    });
    await untilRun(stack, { scheduleId, nominal, state: 'ENDED' });
    expect(Date.now()).toBeGreaterThanOrEqual(dueMs);
    expect(await batchOf(batchId)).toMatchObject({ state: 'COMPLETED' });
    await stack.bursar('schedule', 'delete', scheduleId, '--yes');
  });
});

describe('a run for which no worker was there', () => {
  it('is missed and told when one comes too late, and pays nothing', async () => {
    const scheduleId = newScheduleId();
    const { cron, nominal, dueMs } = soonRule(12_000);
    putFile(stack, `${scheduleId}-${nominal.slice(0, 10)}.csv`);
    await create(scheduleId, '--cron', cron, '--catch-up', '10s');
    const creates = await requestCount(stack.sandboxUrl, 'MASS_CREATE');
    await stack.stopOne('worker');
    await eventually('it is too late', () => (Date.now() > dueMs + 11_000 ? true : undefined));
    await stack.start('worker');
    const run = await untilRun(stack, { scheduleId, nominal, state: 'MISSED' });
    expect(run.detail).toMatch(
      /could begin only .* after its due time, and 10 seconds are allowed/,
    );
    await eventually('it is told', () =>
      stack.output('worker').includes('schedule.missed') ? true : undefined,
    );
    expect(await requestCount(stack.sandboxUrl, 'MASS_CREATE')).toBe(creates);
    await stack.bursar('schedule', 'delete', scheduleId, '--yes');
  });
});

describe('a paused schedule', () => {
  it('begins nothing, and says of each run why', async () => {
    const scheduleId = newScheduleId();
    const { cron, nominal, dueMs } = soonRule(12_000);
    putFile(stack, `${scheduleId}-${nominal.slice(0, 10)}.csv`);
    await create(scheduleId, '--cron', cron);
    await stack.bursar('schedule', 'pause', scheduleId, '--note', 'an audit');
    await eventually('its time is over', () => (Date.now() > dueMs + 1_500 ? true : undefined));
    const resumed = await stack.bursar('schedule', 'resume', scheduleId);
    expect(resumed.err).toContain('1 runs were skipped while it was paused');
    const run = await untilRun(stack, { scheduleId, nominal, state: 'SKIPPED' });
    expect(run.detail).toBe('the schedule was paused: an audit');
    await stack.bursar('schedule', 'delete', scheduleId, '--yes');
  });
});
