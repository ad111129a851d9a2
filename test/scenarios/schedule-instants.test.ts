import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { listedInstants } from '../../src/contract/timetable.ts';
import { newScheduleId } from '../support/schedules.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { sharedTemporal } from '../support/temporal/shared-temporal.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

jest.setTimeout(600_000);

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

type Run = Readonly<{ run: string; beginsAt: string; dueAt: string }>;

/** The runs of each instant, as a preview says them. */
function entriesOf(runs: readonly Run[]): [number, string][] {
  const names = new Map<string, string[]>();
  for (const { run, beginsAt } of runs) {
    names.set(beginsAt, [...(names.get(beginsAt) ?? []), run]);
  }
  return [...names].map(([at, all]) => [Date.parse(at), `run for ${all.join(', ')}`]);
}

/** What the clocks of Berlin show, by another way than ours. */
const inBerlin = (instantMs: number): string =>
  new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Berlin',
    dateStyle: 'short',
    timeStyle: 'short',
  })
    .format(instantMs)
    .replace(' ', 'T');

const BERLIN = ['--timezone', 'Europe/Berlin', '--lead', '2h', '--file', 'x-{date}.csv'];
/** The days around both changes of the clocks, in the hour that is left out or comes twice. */
const CHANGES = ['--cron', '30 2 25-31 3,10 *', ...BERLIN];
const MOVED = ['--cron', '30 2 29-31 * *', '--shift', 'after', '--weekend', 'sat', ...BERLIN];

it.each([
  ['on days around changes of clocks', CHANGES],
  ['moved off weekends', MOVED],
])('Temporal gets the instants that the preview shows, and no others: %s', async (_what, flags) => {
  const scheduleId = newScheduleId();
  const { value } = await stack.json('schedule', 'preview', ...flags, '--count', '60');
  const nowMs = Date.now();
  const created = await stack.bursar('schedule', 'create', scheduleId, ...flags, '--yes');
  expect(created.code).toBe(0);
  const handle = temporal.schedule.getHandle(`bursar/${scheduleId}`);
  const { spec, info, policies } = await handle.describe();
  const wanted = entriesOf(value['runs'] as Run[]);
  const calendars = spec.calendars ?? [];
  const listed = listedInstants(calendars).map((at, i) => [at, calendars[i]?.comment]);
  // What may still begin late is listed too.
  expect(listed.filter(([at]) => Number(at) > nowMs)).toEqual(wanted);
  expect(listed).toHaveLength(calendars.length);
  expect(info.nextActionTimes.map((time) => time.getTime())).toEqual(
    wanted.slice(0, 10).map(([at]) => at),
  );
  expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 7_200_000 + 600_000 });
  await stack.bursar('schedule', 'delete', scheduleId, '--yes');
});

it('the preview has each run when the clocks of its zone show its time, or as much later as they leave out', async () => {
  const { value } = await stack.json('schedule', 'preview', ...CHANGES, '--count', '60');
  const runs = value['runs'] as Run[];
  const seen = new Set<string>();
  for (const { run, dueAt } of runs) {
    const dueMs = Date.parse(dueAt);
    const [before, shown] = [inBerlin(dueMs - 3_600_000), inBerlin(dueMs)];
    const isLeftOut =
      shown === run.replace('T02:', 'T03:') && before === run.replace('T02:', 'T01:');
    expect([run, isLeftOut || shown === run]).toEqual([run, true]);
    // Of a time that comes twice, the first.
    expect(before).not.toBe(run);
    if (isLeftOut) seen.add('left out');
    if (inBerlin(dueMs + 3_600_000) === run) seen.add('twice');
  }
  expect([...seen].sort()).toEqual(['left out', 'twice']);
});
