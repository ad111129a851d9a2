import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, jest } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { readReport, requestCount } from '../support/oracle.ts';
import {
  daysBefore,
  incomingOf,
  newScheduleId,
  putFile,
  soonRule,
  untilRun,
  untilTold,
} from '../support/schedules.ts';
import { fileOf, useScheduleStack } from './support/schedule-stack.ts';

jest.setTimeout(600_000);

const { stack, temporal, create, remove, trigger, expectPaidOnce } = useScheduleStack();

it('a run without a good file fails visibly and pays nothing; mended, it can be started, once', async () => {
  const scheduleId = newScheduleId();
  const { cron, nominal } = soonRule(3_600_000);
  await create(scheduleId, '--cron', cron);
  const [past, older] = [daysBefore(nominal, 1), daysBefore(nominal, 2)];
  const missingText = `There is no file ${fileOf(scheduleId, past)}`;
  const creates = await requestCount(stack().sandboxUrl, 'MASS_CREATE');

  expect((await trigger(scheduleId, past)).code).toBe(0);
  const missing = await untilRun(stack(), { scheduleId, nominal: past, state: 'FAILED' });
  expect(missing.detail).toContain(missingText);
  const workflow = temporal().workflow.getHandle(`schedule/${scheduleId}/run/${past}`);
  await eventually('its workflow fails', async () =>
    (await workflow.describe()).status.name === 'FAILED' ? true : undefined,
  );
  expect(await untilTold(stack(), scheduleId, 'schedule.failed')).toMatchObject([
    { data: { run: past, what: expect.stringContaining(missingText) } },
  ]);
  expect(await requestCount(stack().sandboxUrl, 'MASS_CREATE')).toBe(creates);

  const rows = putFile(stack(), fileOf(scheduleId, past));
  expect((await trigger(scheduleId, past)).code).toBe(0);
  const run = await untilRun(stack(), { scheduleId, nominal: past, state: 'ENDED' });
  const { state, rows: counts } = readReport(join(stack().folder, 'runs', run.batchId));
  expect([state, counts.paid]).toEqual(['COMPLETED', rows.length]);
  await expectPaidOnce(rows);
  expect(await requestCount(stack().sandboxUrl, 'MASS_CREATE')).toBe(creates + 1);

  const inFolder = (name: string): string => join(incomingOf(stack()), name);
  copyFileSync(inFolder(fileOf(scheduleId, past)), inFolder(fileOf(scheduleId, older)));
  await trigger(scheduleId, older);
  const unchanged = await untilRun(stack(), { scheduleId, nominal: older, state: 'FAILED' });
  expect(unchanged.detail).toContain(`is the same file as that of the run for ${past}`);
  expect(await requestCount(stack().sandboxUrl, 'MASS_CREATE')).toBe(creates + 1);
  await remove(scheduleId);
  expect((await trigger(scheduleId, older)).err).toContain('SCHEDULE_DELETED');
});

it('a run whose file is rejected fails, waits in the inbox, and is paid once when it is mended', async () => {
  const scheduleId = newScheduleId();
  const { cron, nominal } = soonRule(3_600_000);
  await create(scheduleId, '--cron', cron);
  const past = daysBefore(nominal, 1);
  const name = fileOf(scheduleId, past);
  const creates = await requestCount(stack().sandboxUrl, 'MASS_CREATE');
  writeFileSync(join(incomingOf(stack()), name), 'address,amount,currency\n');

  await trigger(scheduleId, past);
  const failed = await untilRun(stack(), { scheduleId, nominal: past, state: 'FAILED' });
  const first = `${scheduleId}-${past.slice(0, 10)}`;
  expect(failed.detail).toContain(`Batch ${first} of the run for ${past} was rejected`);
  expect(await untilTold(stack(), scheduleId, 'schedule.failed')).toMatchObject([
    { data: { run: past, code: 'SCHEDULE_BATCH_REJECTED' } },
  ]);
  const { value } = await stack().json('inbox');
  const items = value['items'] as Record<string, unknown>[];
  expect(items.filter((item) => item['scheduleId'] === scheduleId)).toMatchObject([
    { kind: 'RUN', run: past, missing: [`failed: ${failed.detail}`] },
  ]);
  const workflow = temporal().workflow.getHandle(`schedule/${scheduleId}/run/${past}`);
  await eventually('its workflow fails', async () =>
    (await workflow.describe()).status.name === 'FAILED' ? true : undefined,
  );

  const rows = putFile(stack(), name);
  expect((await trigger(scheduleId, past)).code).toBe(0);
  const run = await untilRun(stack(), { scheduleId, nominal: past, state: 'ENDED' });
  expect([run.detail, run.batchId]).toEqual(['COMPLETED', `${first}-2`]);
  await expectPaidOnce(rows);
  expect((await trigger(scheduleId, past)).err).toContain('SCHEDULE_RUN_TAKEN');
  expect(await requestCount(stack().sandboxUrl, 'MASS_CREATE')).toBe(creates + 1);
  await remove(scheduleId);
});
