import { join } from 'node:path';
import { afterEach, expect, it, jest } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { eventually } from '../support/eventually.ts';
import { leadMsFor } from '../support/lead-time.ts';
import { expectExactlyOnce } from '../support/exactly-once.ts';
import { requestCount } from '../support/oracle.ts';
import { type OwnTemporal, startOwnTemporal } from '../support/own-temporal.ts';
import {
  newScheduleId,
  putFile,
  shownRun,
  soonRule,
  toldByFile,
  toldOf,
  untilRun,
  untilRunFails,
  untilTold,
} from '../support/schedules.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { sharedTemporal } from '../support/temporal/shared-temporal.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

let stack: TestStack | undefined;
let temporal: OwnTemporal | undefined;
afterEach(async () => {
  await stack?.stop();
  await temporal?.stop();
});

it('a Temporal that is down over the due time: a run within its catch-up time happens once, a later one is missed and notified', async () => {
  const folder = temporaryFolder();
  temporal = await startOwnTemporal(folder);
  stack = await startTestStack({
    folder,
    temporalAddress: temporal.address,
    env: toldByFile(folder),
  });
  const [patient, strict] = [newScheduleId(), newScheduleId()];
  const { cron, nominal, dueMs } = soonRule(await leadMsFor(stack, 3));
  const rows = putFile(stack, `${patient}.csv`);
  putFile(stack, `${strict}.csv`);
  const create = async (id: string, catchUp: string) => {
    const rule = ['--cron', cron, '--timezone', 'UTC', '--file', `${id}.csv`];
    const all = ['schedule', 'create', id, ...rule, '--catch-up', catchUp, '--yes'];
    const { code, err } = (await stack?.bursar(...all)) ?? { code: -1, err: '' };
    // This test checks the promise of the preview about a late run.
    expect([code, err.includes('is reported as missed and not paid')]).toEqual([0, true]);
  };
  await create(patient, '10m');
  await create(strict, '10s');

  await temporal.kill();
  await eventually('the time is over', () => (Date.now() > dueMs + 12_000 ? true : undefined));
  await temporal.start();

  const run = await untilRun(stack, { scheduleId: patient, nominal, state: 'ENDED' });
  expect(run.detail).toBe('COMPLETED');
  await expectExactlyOnce(stack.sandboxUrl, join(folder, 'runs', run.batchId), rows);
  expect(await requestCount(stack.sandboxUrl, 'MASS_CREATE')).toBe(1);

  const told = await untilTold(stack, strict, 'schedule.missed');
  expect(told).toMatchObject([
    {
      data: {
        scheduleId: strict,
        run: nominal,
        code: 'SCHEDULE_RUN_MISSED',
        fix: `To pay it all the same: bursar schedule trigger ${strict} --run ${nominal} --reason TEXT`,
        commands: [`bursar schedule show ${strict}`],
      },
    },
  ]);
  expect(await shownRun(stack, strict, nominal)).toMatchObject({ state: 'MISSED' });
  expect(toldOf(stack, patient)).toEqual([]);
  expect(await requestCount(stack.sandboxUrl, 'MASS_CREATE')).toBe(1);
});

it('a run without a worker is missed and notified when one comes too late, and pays nothing', async () => {
  const folder = temporaryFolder();
  stack = await startTestStack({ folder, env: toldByFile(folder) });
  const scheduleId = newScheduleId();
  const { cron, nominal, dueMs } = soonRule(await leadMsFor(stack, 2));
  putFile(stack, `${scheduleId}.csv`);
  const rule = ['--cron', cron, '--timezone', 'UTC', '--file', `${scheduleId}.csv`];
  await stack.bursar('schedule', 'create', scheduleId, ...rule, '--catch-up', '10s', '--yes');
  const creates = await requestCount(stack.sandboxUrl, 'MASS_CREATE');
  await stack.stopOne('worker');
  await eventually('it is too late', () => (Date.now() > dueMs + 11_000 ? true : undefined));
  await stack.start('worker');
  const run = await untilRun(stack, { scheduleId, nominal, state: 'MISSED' });
  // The command sees that it is missed before the worker has said so.
  expect(run.detail).toMatch(/allowed|nothing began it/);
  const connection = await Connection.connect({ address: sharedTemporal().address });
  const client = new Client({ connection, namespace: 'default' });
  expect(await untilRunFails(client, scheduleId)).toBe('SCHEDULE_RUN_MISSED');
  await connection.close();
  const told = await untilTold(stack, scheduleId, 'schedule.missed');
  expect(told).toMatchObject([{ data: { run: nominal, code: 'SCHEDULE_RUN_MISSED' } }]);
  expect(await requestCount(stack.sandboxUrl, 'MASS_CREATE')).toBe(creates);
  await stack.bursar('schedule', 'delete', scheduleId, '--yes');
});
