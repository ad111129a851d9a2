import { join } from 'node:path';
import { afterEach, expect, it, jest } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { watchSchedules } from '../../src/activities/rounds/schedules.ts';
import { createTimetables } from '../../src/activities/schedule/timetables.ts';
import type { ScheduleNews } from '../../src/activities/schedule/deps.ts';
import { openStore } from '../../src/store/store.ts';
import { eventually } from '../support/eventually.ts';
import { expectExactlyOnce, requestCount } from '../support/oracle.ts';
import { type OwnTemporal, startOwnTemporal } from '../support/own-temporal.ts';
import { newScheduleId, putFile, shownRun, soonRule, untilRun } from '../support/schedules.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(300_000);

let stack: TestStack | undefined;
let temporal: OwnTemporal | undefined;
afterEach(async () => {
  await stack?.stop();
  await temporal?.stop();
});

/** Looks once as housekeeping does, a while after the last moment to begin; answers with what it told. */
async function look(address: string, storeUrl: string): Promise<ScheduleNews[]> {
  const told: ScheduleNews[] = [];
  const connection = await Connection.connect({ address });
  const client = new Client({ connection });
  const store = await openStore(storeUrl);
  await watchSchedules({
    store,
    timetables: createTimetables(() => client),
    tell: async (news) => void told.push(news),
    nowMs: () => Date.now() + 60_000,
  });
  await store.close();
  await connection.close();
  return told;
}

it('a Temporal that is down over the due time: what is within its catch-up time runs once, what is not is missed and told', async () => {
  const folder = temporaryFolder();
  temporal = await startOwnTemporal(folder);
  stack = await startTestStack({ folder, temporalAddress: temporal.address });
  const [patient, strict] = [newScheduleId(), newScheduleId()];
  const { cron, nominal, dueMs } = soonRule(25_000);
  const rows = putFile(stack, `${patient}.csv`);
  putFile(stack, `${strict}.csv`);
  const create = async (id: string, catchUp: string) => {
    const rule = ['--cron', cron, '--timezone', 'UTC', '--file', `${id}.csv`];
    const all = ['schedule', 'create', id, ...rule, '--catch-up', catchUp, '--yes'];
    const { code, err } = (await stack?.bursar(...all)) ?? { code: -1, err: '' };
    // What the preview promises of a run that is late is what this test is about.
    expect([code, err.includes('is missed and told, never paid late by itself')]).toEqual([
      0,
      true,
    ]);
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

  const storeUrl = stack.env.BURSAR_STORE_URL;
  const [news, ...others] = await look(temporal.address, storeUrl);
  expect(others).toEqual([]);
  expect(news).toMatchObject({
    event: 'schedule.missed',
    key: `${strict}/${nominal}`,
    data: {
      scheduleId: strict,
      run: nominal,
      fix: `If it is to be paid after all: bursar schedule trigger ${strict} --run ${nominal}`,
    },
  });
  expect(await shownRun(stack, strict, nominal)).toMatchObject({ state: 'MISSED' });
  expect(await look(temporal.address, storeUrl)).toEqual([]);
  expect(await requestCount(stack.sandboxUrl, 'MASS_CREATE')).toBe(1);
});
