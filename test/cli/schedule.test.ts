import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { decisionsIn } from '../support/decisions.ts';
import type { RunView } from '../../src/operations/schedule/views.ts';
import { auditOf } from '../support/schedule-definitions.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type FakeWorld, fakeWorld, NOW, type WorldOptions } from './support/fake-world.ts';
import { writableDb } from '../../src/store/database/writable.ts';

const RULE = ['--calendar', 'daily 09:00', '--timezone', 'UTC', '--file', 'pay-{date}.csv'];
const NEXT = '2026-11-22T09:00';
const DAY_MS = 86_400_000;
const nowMs = Date.parse(NOW);

const worldOf = (more: Partial<WorldOptions> = {}): FakeWorld =>
  fakeWorld({ cwd: temporaryFolder(), ...more });

/** A world with the schedule `rent`, daily at 09:00 UTC, made `days` ago. */
async function withRent(days = 0, ...flags: string[]): Promise<FakeWorld> {
  const world = worldOf();
  const { code, err } = await world.run('schedule', 'create', 'rent', ...RULE, ...flags, '--yes');
  if (code !== 0) throw new Error(err);
  if (days > 0) {
    const store = await world.store();
    const known = await store.schedules.find('rent');
    await store.schedules.remove('rent', 1, auditOf('delete'));
    const createdAtMs = nowMs - days * DAY_MS;
    await store.schedules.create({ ...known!, createdAtMs }, auditOf('schedule-create'));
    await store.close();
  }
  return world;
}

const runsOf = (value: Record<string, unknown>, name = 'runs'): RunView[] =>
  value[name] as RunView[];

const actionsOf = async (world: FakeWorld): Promise<string[]> => {
  const store = await world.store();
  const entries = await decisionsIn(store);
  await store.close();
  return entries.map(({ actor, action }) => `${actor} ${action}`);
};

describe('bursar schedule preview', () => {
  it('shows a month end on a Sunday before anything is created', async () => {
    const rule = ['--calendar', 'monthly last 09:00', '--timezone', 'Europe/Berlin'];
    const flags = [...rule, '--shift', 'before', '--from', '2027-01-01', '--count', '2'];
    const { json, engine } = worldOf();
    const { code, value } = await json('schedule', 'preview', ...flags);
    expect(code).toBe(0);
    expect(value).toMatchObject({
      schema: 'bursar.schedule-preview/v1',
      scheduleId: 'preview',
      cron: '0 9 L * *',
      timezone: 'Europe/Berlin',
      shift: 'before',
      weekend: ['Saturday', 'Sunday'],
      holidays: null,
      leadMs: 0,
      catchUpMs: 600_000,
    });
    expect(runsOf(value)).toEqual([
      {
        run: '2027-01-31T09:00',
        dueAt: '2027-01-29T08:00:00.000Z',
        approveUntil: null,
        local: 'Fri 2027-01-29 09:00 +01:00',
        beginsAt: '2027-01-29T08:00:00.000Z',
        latestBegin: '2027-01-29T08:10:00.000Z',
        batchId: 'preview-2027-01-31',
        marks: [
          {
            code: 'WEEKEND',
            text: 'weekend: moved from Sunday 2027-01-31 to Friday 2027-01-29',
          },
        ],
        file: null,
        state: null,
        detail: null,
      },
      expect.objectContaining({ run: '2027-02-28T09:00', dueAt: '2027-02-26T08:00:00.000Z' }),
    ]);
    expect(engine.timetables.size).toBe(0);
  });

  it('prints every rule in words, and marks unusual runs', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'days.txt'), '2027-03-26 Good Friday\n2027-12-25 Christmas\n');
    const rule = ['--cron', '30 2 * * *', '--timezone', 'Europe/Berlin', '--from', '2027-03-26'];
    const flags = [...rule, '--shift', 'after', '--holidays', 'days.txt', '--lead', '2h'];
    const { run } = fakeWorld({ cwd });
    const { code, out } = await run('schedule', 'preview', ...flags, '--file', 'a.csv');
    expect(code).toBe(0);
    for (const text of [
      'if a time does not exist (clocks go forward): mostly one hour later',
      'a run on Saturday, Sunday and on 2 holidays (days.txt, known until 2027-12-25) moves to the business day after',
      '2 hours before it is due: Bursar reads its file, and people can approve until the due time',
      'a run that did not begin within 10 minutes of its due time is reported as missed and not paid',
      'if it is missing, empty or unchanged, the run fails and pays nothing',
      'weekend, holiday (Good Friday): moved from Friday 2027-03-26 to Monday 2027-03-29',
      'at the same time as the run for',
    ]) {
      expect(out).toContain(text);
    }
  });

  it('shows the effect of a clock change', async () => {
    const rule = ['--cron', '30 2 * * *', '--timezone', 'Europe/Berlin', '--from', '2027-03-28'];
    const { out } = await worldOf().run('schedule', 'preview', ...rule, '--count', '1');
    expect(out).toContain('2027-03-28T02:30  Sun 2027-03-28 03:30 +02:00  2027-03-28 01:30');
    expect(out).toContain('DST gap: 02:30 does not exist on 2027-03-28, 03:30 is meant');
  });

  it('shows a schedule that there is', async () => {
    const { json } = await withRent();
    const { value } = await json('schedule', 'preview', 'rent', '--count', '3');
    expect(value).toMatchObject({ scheduleId: 'rent', file: 'pay-{date}.csv' });
    expect(runsOf(value).map(({ run, file }) => [run, file])).toEqual([
      ['2026-11-22T09:00', 'pay-2026-11-22.csv'],
      ['2026-11-23T09:00', 'pay-2026-11-23.csv'],
      ['2026-11-24T09:00', 'pay-2026-11-24.csv'],
    ]);
    expect((await json('schedule', 'preview', 'nobody')).code).toBe(5);
  });
});

describe('an unusable argument', () => {
  const CASES: readonly (readonly [code: string, ...flags: string[]])[] = [
    ['CRON_INVALID', '--cron', '61 9 * * *', '--timezone', 'UTC'],
    ['CRON_INVALID', '--cron', '0 9 13 * 5', '--timezone', 'UTC'],
    ['CALENDAR_INVALID', '--calendar', 'monthly 31 09:00', '--timezone', 'UTC'],
    ['SCHEDULE_NEVER_RUNS', '--cron', '0 9 31 2 *', '--timezone', 'UTC'],
    ['SCHEDULE_TOO_OFTEN', '--cron', '* 9 * * *', '--timezone', 'UTC'],
    ['ZONE_UNKNOWN', '--cron', '0 9 * * *', '--timezone', 'EST'],
    ['ZONE_UNKNOWN', '--cron', '0 9 * * *', '--timezone', 'Europe/Berlyn'],
    ['FLAG_INVALID', '--cron', '0 9 * * *'],
    ['FLAG_INVALID', '--timezone', 'UTC'],
    ['FLAG_INVALID', '--cron', '0 9 * * *', '--calendar', 'daily 09:00', '--timezone', 'UTC'],
    ['FLAG_INVALID', ...RULE.slice(0, 4), '--shift', 'sideways'],
    ['FLAG_INVALID', ...RULE.slice(0, 4), '--weekend', 'sat'],
    ['FLAG_INVALID', ...RULE.slice(0, 4), '--shift', 'after', '--weekend', 'sat,someday'],
    [
      'FLAG_INVALID',
      ...RULE.slice(0, 4),
      '--shift',
      'after',
      '--weekend',
      'mon,tue,wed,thu,fri,sat,sun',
    ],
    ['FLAG_INVALID', ...RULE.slice(0, 4), '--holidays', 'days.txt'],
    ['HOLIDAYS_INVALID', ...RULE.slice(0, 4), '--shift', 'after', '--holidays', 'none.txt'],
    ['HOLIDAYS_INVALID', ...RULE.slice(0, 4), '--shift', 'after', '--holidays', 'old.txt'],
    ['HOLIDAYS_INVALID', ...RULE.slice(0, 4), '--shift', 'after', '--holidays', 'latin.txt'],
    ['HOLIDAYS_INVALID', ...RULE.slice(0, 4), '--shift', 'after', '--holidays', 'folder'],
    ['LEAD_TOO_LONG', ...RULE.slice(0, 4), '--lead', '1d'],
    ['FLAG_INVALID', ...RULE.slice(0, 4), '--lead', '-1h'],
    ['FLAG_INVALID', ...RULE.slice(0, 4), '--catch-up', '5s'],
    ['FLAG_INVALID', ...RULE.slice(0, 4), '--catch-up', '2d'],
    ['FILE_PATTERN_INVALID', ...RULE.slice(0, 4), '--file', '../pay.csv'],
    ['FILE_PATTERN_INVALID', ...RULE.slice(0, 4), '--file', '/etc/pay.csv'],
    ['FILE_PATTERN_INVALID', ...RULE.slice(0, 4), '--file', 'pay-{day}.csv'],
    ['FLAG_INVALID', ...RULE, '--allow-unchanged'],
    ['FLAG_INVALID', ...RULE, '--accept', 'NO_SUCH_FINDING'],
    ['FLAG_INVALID', ...RULE, '--funds', 'maybe'],
  ];

  const world = (): FakeWorld => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'days.txt'), '2027-12-25\n');
    writeFileSync(join(cwd, 'old.txt'), '2020-12-25\n');
    writeFileSync(join(cwd, 'latin.txt'), Buffer.from('2027-12-25 No\xebl', 'latin1'));
    mkdirSync(join(cwd, 'folder'));
    return fakeWorld({ cwd });
  };

  it.each(CASES)('is refused as %s: %s %s %s %s %s %s', async (code, ...flags) => {
    const { json, engine, store: openStore } = world();
    const file = flags.includes('--file') ? [] : ['--file', 'pay.csv'];
    const args = ['schedule', 'create', 'rent', ...flags, ...file, '--yes'];
    const { code: exit, value } = await json(...args);
    expect([exit, value['code']]).toEqual([2, code]);
    const store = await openStore();
    expect(await store.schedules.list()).toEqual([]);
    await store.close();
    expect(engine.timetables.size).toBe(0);
  });

  it.each([
    ['create', 'a b', ...RULE, '--yes'],
    ['create', 'rent', ...RULE.slice(0, 4), '--yes'],
    ['preview', '--count', '3'],
    ['preview', ...RULE, '--count', '401'],
    ['preview', ...RULE, '--from', '2027-02-30'],
    ['preview', ...RULE, '--from', 'tomorrow'],
    ['pause', 'rent'],
    ['pause', 'rent', '--note', ' '],
    ['trigger', 'rent', '--reason', 'x'],
    ['trigger', 'rent', '--run', NEXT],
    ['backfill', 'rent', '--from', '2026-11-01', '--reason', 'x'],
    ['nothing'],
  ])('is a usage error: %s %s %s', async (...words) => {
    const { json } = await withRent();
    expect((await json('schedule', ...words)).code).toBe(2);
  });

  it.each(['show', 'pause', 'resume', 'delete', 'trigger', 'backfill'])(
    '%s refuses a schedule that does not exist',
    async (command) => {
      const more = {
        pause: ['--note', 'x'],
        trigger: ['--run', NEXT, '--reason', 'x'],
        backfill: ['--from', '2026-11-01', '--to', '2026-11-02', '--reason', 'x'],
      }[command];
      const { code, value } = await worldOf().json('schedule', command, 'nobody', ...(more ?? []));
      expect([code, value['code']]).toEqual([5, 'SCHEDULE_NOT_FOUND']);
    },
  );
});

describe('bursar schedule create', () => {
  it('shows the preview, waits for the confirmation, and sets the schedule up in store and Temporal', async () => {
    const world = worldOf({ isTty: true, input: 'rent\n' });
    const { code, out, err } = await world.run('schedule', 'create', 'rent', ...RULE);
    expect(code).toBe(0);
    expect(err).toContain(
      'From now on this pays without a confirmation, and no approval is needed. Type rent to continue:',
    );
    expect(err).toContain('No approval is needed: the settings name no approval tiers.');
    expect(err).toContain('2026-11-22T09:00  Sun 2026-11-22 09:00 +00:00');
    expect(out).toContain('Schedule rent: daily 09:00, UTC');
    expect(out).toContain('Its runs: bursar schedule show rent');
    // The preview has shown them.
    expect(out).not.toContain('RUN FOR');
    expect(world.engine.timetables.get('rent')).toMatchObject({
      paused: false,
      definition: {
        cron: '0 9 * * *',
        accountRef: 'main',
        catchUpMs: 600_000,
        file: { pattern: 'pay-{date}.csv', allowUnchanged: false },
        options: { at: null, executionDate: null, expectedDigest: null },
      },
    });
    expect(await actionsOf(world)).toEqual(['alice schedule-create']);
  });

  it('states how the files of all its runs are read', async () => {
    const flags = [
      '--sheet',
      'March',
      '--decimal-comma',
      '--column',
      'address=To',
      '--ignore-column',
      'Name',
    ];
    const world = await withRent(0, ...flags);
    expect(world.engine.timetables.get('rent')).toMatchObject({
      definition: {
        options: {
          form: {
            sheet: 'March',
            decimalComma: true,
            columns: { address: 'To' },
            ignoreColumns: ['Name'],
          },
        },
      },
    });
  });

  it.each([
    ['0', 'this begins without a confirmation, and each run waits for its approvals.'],
    ['100', 'this pays without a confirmation, and waits for approvals only above a tier.'],
  ])('shows the true need of approvals above %s before the confirmation', async (above, asked) => {
    const world = worldOf({ isTty: true, input: 'rent\n' });
    const policy = `[approval]\nmode = "unsigned"\n[[approval.tiers]]\nabove = "${above}"\napprovals = 1\n`;
    const toml = `${policy}[[approval.people]]\nname = "bob"\n`;
    writeFileSync(join(world.world.cwd, 'bursar.toml'), toml);
    const { err } = await world.run('schedule', 'create', 'rent', ...RULE);
    expect(err).toContain(`From now on ${asked} Type rent to continue:`);
    const needed = `A total above ${above} of any currency needs 1 approval (bob)`;
    expect(err).toContain(needed);
    expect((await world.run('schedule', 'preview', 'rent')).out).toContain(needed);
  });

  it.each([
    ['another word', 'yes\n'],
    ['nothing', '\n'],
  ])('does nothing when %s is typed', async (_what, typed) => {
    const world = worldOf({ isTty: true, input: typed });
    const { code, err } = await world.run('schedule', 'create', 'rent', ...RULE);
    expect([code, err.includes('SCHEDULE_NOT_CONFIRMED')]).toEqual([3, true]);
    expect(world.engine.timetables.size).toBe(0);
    expect(await actionsOf(world)).toEqual([]);
  });

  it('does nothing without a terminal to confirm at', async () => {
    const { code, value } = await worldOf().json('schedule', 'create', 'rent', ...RULE);
    expect([code, value['code']]).toEqual([2, 'SCHEDULE_UNCONFIRMED']);
  });

  it('keeps the days of the holiday file when the file changes', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'days.txt'), '2026-12-25 Christmas\n');
    const { json, engine } = fakeWorld({ cwd });
    const flags = [...RULE, '--shift', 'before', '--holidays', 'days.txt', '--yes'];
    const { value } = await json('schedule', 'create', 'rent', ...flags);
    expect(value['holidays']).toMatchObject({ file: 'days.txt', days: 1, last: '2026-12-25' });
    expect(engine.timetables.get('rent')?.definition.holidays?.days).toEqual([
      { date: '2026-12-25', name: 'Christmas' },
    ]);
  });

  it('completes a creation that a crash interrupted, and changes nothing else', async () => {
    const world = await withRent();
    world.engine.timetables.clear();
    expect((await world.json('schedule', 'show', 'rent')).value['temporal']).toBe('unknown');
    const again = await world.json('schedule', 'create', 'rent', ...RULE, '--yes');
    expect(again.value).toMatchObject({ state: 'AT_WORK', temporal: 'at work' });
    expect(await actionsOf(world)).toEqual(['alice schedule-create']);
    const other = await world.json(
      ...['schedule', 'create', 'rent', ...RULE.slice(2), '--calendar', 'daily 10:00', '--yes'],
    );
    expect([other.code, other.value['code']]).toEqual([2, 'SCHEDULE_EXISTS']);
  });

  it('writes nothing down when Temporal is not there', async () => {
    const world = worldOf({
      open: { engine: () => Promise.reject(new Error('down')) },
    });
    expect((await world.run('schedule', 'create', 'rent', ...RULE, '--yes')).code).toBe(1);
    expect(await actionsOf(world)).toEqual([]);
  });
});

describe('bursar schedule list and show', () => {
  it('list schedules with their last run and the next one', async () => {
    const world = await withRent();
    expect((await world.json('schedule', 'list')).value).toEqual({
      schema: 'bursar.schedule-list/v1',
      schedules: [
        {
          scheduleId: 'rent',
          state: 'AT_WORK',
          rule: 'daily 09:00',
          timezone: 'UTC',
          nextDueAt: '2026-11-22T09:00:00.000Z',
          lastRun: null,
        },
      ],
    });
    const empty = await worldOf().run('schedule', 'list');
    expect([empty.code, empty.err]).toEqual([0, expect.stringContaining('no schedules')]);
  });

  it.each([
    ['ENDED', '2026-11-23T09:00'],
    ['FAILED', NEXT],
  ] as const)('show for a next run that is %s that %s is due', async (state, next) => {
    const world = await withRent();
    const store = await world.store();
    const dueAtMs = Date.parse('2026-11-22T09:00:00Z');
    const run = { scheduleId: 'rent', nominal: NEXT };
    await store.scheduleRuns.note(run, { state, detail: 'why', dueAtMs, atMs: nowMs });
    await store.close();
    const { value } = await world.json('schedule', 'list');
    const nextDueAt = `${next}:00.000Z`;
    expect(value['schedules']).toMatchObject([{ nextDueAt, lastRun: { run: NEXT, state } }]);
    const shown = await world.json('schedule', 'show', 'rent');
    expect(runsOf(shown.value, 'nextRuns')[0]).toMatchObject({ run: next, state: null });
    expect(runsOf(shown.value, 'lastRuns')).toMatchObject([{ run: NEXT, state, detail: 'why' }]);
  });

  it('show the ends of runs, and runs that no workflow has recorded yet', async () => {
    const world = await withRent(2);
    const store = await world.store();
    const failed = { state: 'FAILED', detail: 'There is no file.', atMs: 1 } as const;
    const dueAtMs = Date.parse('2026-11-20T09:00:00Z');
    const run = { scheduleId: 'rent', nominal: '2026-11-20T09:00' };
    await store.scheduleRuns.note(run, { ...failed, dueAtMs });
    await store.close();
    // 2026-11-21T09:00 is due now, and has ten minutes.
    const { value } = await world.json('schedule', 'show', 'rent');
    expect(runsOf(value, 'lastRuns').map(({ run: name, state }) => [name, state])).toEqual([
      ['2026-11-20T09:00', 'FAILED'],
    ]);
    expect(runsOf(value, 'nextRuns')[0]).toMatchObject({ run: NEXT, state: null });
    const later = await withRent(3);
    const shown = await later.json('schedule', 'show', 'rent');
    expect(runsOf(shown.value, 'lastRuns').map(({ run: name, state }) => [name, state])).toEqual([
      ['2026-11-20T09:00', 'MISSED'],
      ['2026-11-19T09:00', 'MISSED'],
    ]);
    const { out } = await world.run('schedule', 'show', 'rent');
    expect(out).toContain('There is no file.');
  });

  it('warn when Temporal cannot be reached', async () => {
    const world = await withRent();
    world.engine.isDown = true;
    const { code, out, err } = await world.run('schedule', 'show', 'rent');
    expect([code, err.includes('as the store has them')]).toEqual([0, true]);
    expect(out).toContain('does not answer now');
  });

  it('show that the schedule is paused in Temporal', async () => {
    const world = await withRent();
    Object.assign(world.engine.timetables.get('rent') ?? {}, { paused: true });
    const { out } = await world.run('schedule', 'show', 'rent');
    expect(out).toContain('PAUSED in Temporal, and not by Bursar');
  });
});

describe('bursar schedule pause and resume', () => {
  it('stop a schedule with a note, and skip the runs between', async () => {
    let world = await withRent();
    const paused = await world.json('schedule', 'pause', 'rent', '--note', 'audit');
    expect(paused.value).toMatchObject({ state: 'PAUSED', note: 'audit', temporal: 'paused' });
    expect(world.engine.timetables.get('rent')).toMatchObject({ paused: true, note: 'audit' });
    const store = await world.store();
    await store.schedules.resume('rent', auditOf('x'));
    const sinceMs = nowMs - 2 * DAY_MS - 1_000;
    await store.schedules.pause('rent', { sinceMs, note: 'audit' }, auditOf('x'));
    await store.close();
    const resumed = await world.run('schedule', 'resume', 'rent');
    expect(resumed.err).toContain('3 runs were skipped while it was paused');
    expect(world.engine.timetables.get('rent')).toMatchObject({ paused: false });
    const { value } = await world.json('schedule', 'show', 'rent');
    expect(value).toMatchObject({ state: 'AT_WORK', pausedAt: null, note: null });
    expect(runsOf(value, 'lastRuns').map(({ state, detail }) => [state, detail])).toEqual(
      [1, 2, 3].map(() => ['SKIPPED', 'the schedule was paused: audit']),
    );
    expect(await actionsOf(world)).toEqual([
      ...['alice schedule-create', 'alice schedule-pause', 'alice x', 'alice x'],
      'alice schedule-resume',
    ]);
    world = await withRent();
    expect((await world.run('schedule', 'resume', 'rent')).err).not.toContain('skipped');
  });

  it('report a state that was set before', async () => {
    const world = await withRent();
    const say = async (...words: string[]) => (await world.run('schedule', ...words)).err;
    expect(await say('resume', 'rent')).toContain('It was active already.');
    expect(await say('pause', 'rent', '--note', 'audit')).not.toContain('already');
    expect(await say('pause', 'rent', '--note', 'more')).toContain('It was paused already.');
    expect(await say('resume', 'rent')).not.toContain('already');
  });

  it('pause although Temporal is down: the store counts', async () => {
    const world = await withRent();
    world.engine.isDown = true;
    const down = await world.json('schedule', 'pause', 'rent', '--note', 'audit');
    expect([down.code, down.value['code']]).toEqual([6, 'SCHEDULE_TEMPORAL_UNTOLD']);
    expect(down.value['what']).toMatch(
      /^Schedule rent is paused, and Temporal does not show it yet: /,
    );
    world.engine.isDown = false;
    const { value } = await world.json('schedule', 'show', 'rent');
    expect(value).toMatchObject({ state: 'PAUSED', temporal: 'at work' });
    const again = await world.json('schedule', 'pause', 'rent', '--note', 'audit');
    expect(again.value).toMatchObject({ state: 'PAUSED', temporal: 'paused' });
  });

  it('resume leaves it paused while Temporal is down, and still lists the skipped runs', async () => {
    const world = await withRent();
    const store = await world.store();
    const sinceMs = nowMs - DAY_MS - 1_000;
    await store.schedules.pause('rent', { sinceMs, note: 'audit' }, auditOf('x'));
    await store.close();
    world.engine.isDown = true;
    const down = await world.run('schedule', 'resume', 'rent');
    expect([down.code, down.err]).toEqual([6, expect.stringContaining('2 runs were skipped')]);
    const { value } = await world.json('schedule', 'show', 'rent');
    expect(value).toMatchObject({ state: 'PAUSED', note: 'audit' });
    world.engine.isDown = false;
    const again = await world.json('schedule', 'resume', 'rent');
    expect(again.value).toMatchObject({ state: 'AT_WORK', temporal: 'at work' });
  });

  it('resume sets up what Temporal lacks', async () => {
    const world = await withRent();
    world.engine.timetables.clear();
    const { value } = await world.json('schedule', 'resume', 'rent');
    expect(value).toMatchObject({ state: 'AT_WORK', temporal: 'at work' });
  });
});

describe('bursar schedule delete', () => {
  it('ends it in store and Temporal after the confirmation, and completes an interrupted deletion', async () => {
    const world = await withRent();
    expect((await world.run('schedule', 'delete', 'rent')).code).toBe(2);
    world.engine.isDown = true;
    const down = await world.json('schedule', 'delete', 'rent', '--yes');
    expect([down.code, down.value['code']]).toEqual([6, 'SCHEDULE_TEMPORAL_UNTOLD']);
    expect(down.value['what']).toContain('Schedule rent is deleted, and');
    world.engine.isDown = false;
    const still = await world.run('schedule', 'show', 'rent');
    expect([still.code, still.out]).toEqual([0, expect.stringContaining('STILL THERE')]);
    expect(world.engine.timetables.size).toBe(1);
    expect((await world.json('schedule', 'delete', 'rent')).value).toEqual({
      schema: 'bursar.schedule-delete/v1',
      scheduleId: 'rent',
    });
    expect(world.engine.timetables.size).toBe(0);
    expect(await actionsOf(world)).toEqual(['alice schedule-create', 'alice schedule-delete']);
  });

  it('keeps its definition and its runs, with the time and the person of the deletion', async () => {
    const world = await withRent();
    const store = await world.store();
    const run = { scheduleId: 'rent', nominal: '2026-11-20T09:00' };
    await store.scheduleRuns.note(run, {
      state: 'ENDED',
      detail: 'COMPLETED',
      dueAtMs: 1,
      atMs: 1,
    });
    await store.close();
    await world.run('schedule', 'delete', 'rent', '--yes');
    const { code, value } = await world.json('schedule', 'show', 'rent');
    expect([code, value]).toMatchObject([
      0,
      { state: 'DELETED', deletedBy: 'alice', deletedAt: NOW, temporal: 'unknown', nextRuns: [] },
    ]);
    expect(runsOf(value, 'lastRuns')).toMatchObject([{ run: run.nominal, detail: 'COMPLETED' }]);
    const { out } = await world.run('schedule', 'show', 'rent');
    for (const text of [
      'DELETED by alice, 2026-11-21 09:00:00 UTC: no run begins any more',
      'deleted in Temporal too',
      run.nominal,
      'Make it again: bursar schedule create rent',
    ]) {
      expect(out).toContain(text);
    }
    expect(out).not.toContain('Next runs');
  });

  it.each(['pause', 'resume', 'trigger', 'backfill', 'preview'])(
    'is reported to a person who wants to %s it then',
    async (command) => {
      const world = await withRent();
      await world.run('schedule', 'delete', 'rent', '--yes');
      const more = {
        pause: ['--note', 'x'],
        trigger: ['--run', NEXT, '--reason', 'x'],
        backfill: ['--from', '2026-11-01', '--to', '2026-11-02', '--reason', 'x'],
      }[command];
      const { code, value } = await world.json('schedule', command, 'rent', ...(more ?? []));
      expect([code, value['code']]).toEqual([5, 'SCHEDULE_DELETED']);
      expect(value['what']).toBe(`The schedule rent was deleted at ${NOW}.`);
    },
  );
});

describe('bursar schedule trigger', () => {
  const trigger = (world: FakeWorld, run: string, ...more: string[]) =>
    world.json('schedule', 'trigger', 'rent', '--run', run, '--reason', 'late file', ...more);

  it.each([
    ['the next run, before its time', NEXT, 'rent-2026-11-22'],
    ['a run of the past', '2026-11-03T09:00', 'rent-2026-11-03'],
    ['the run that is due now', '2026-11-21T09:00', 'rent-2026-11-21'],
  ])('starts %s', async (_what, run, batchId) => {
    const world = await withRent();
    const { code, value } = await trigger(world, run, '--yes');
    const demand = { nominal: run, by: 'alice', reason: 'late file' };
    expect(code).toBe(0);
    expect(value).toEqual({
      schema: 'bursar.schedule-trigger/v1',
      scheduleId: 'rent',
      batchId,
      ...demand,
    });
    expect(world.engine.demands).toEqual([{ scheduleId: 'rent', ...demand }]);
  });

  it('reports that the schedule is paused', async () => {
    const world = await withRent();
    await world.run('schedule', 'pause', 'rent', '--note', 'audit');
    const run = ['schedule', 'trigger', 'rent', '--run', NEXT, '--reason', 'x'];
    const { err, code } = await world.run(...run, '--yes');
    expect([code, err.includes('The schedule is paused (audit); this run')]).toEqual([0, true]);
  });

  it('shows the end of the run before, and the end of one that fails', async () => {
    const world = await withRent();
    const store = await world.store();
    const failed = { state: 'FAILED', detail: 'There is no file.', dueAtMs: 1, atMs: 1 } as const;
    await store.scheduleRuns.note({ scheduleId: 'rent', nominal: NEXT }, failed);
    await store.close();
    const run = ['schedule', 'trigger', 'rent', '--run', NEXT, '--reason', 'x', '--yes'];
    const { err, out } = await world.run(...run);
    expect(err).toContain('Failed before: There is no file.');
    expect(err).toMatch(/2026-11-22 09:00 {2}- {9}pay-2026-11-22.csv/);
    expect(out).toContain('If no batch of it begins now, the schedule begins it at its own time.');
    const past = await world.run(...run.with(4, '2026-11-20T09:00'));
    expect([past.err.includes('before:'), past.out.includes('If no batch')]).toEqual([
      false,
      false,
    ]);
  });

  it('has a person type the run, and shows when it is paid', async () => {
    const made = await withRent(0, '--lead', '2h');
    const { cwd } = made.world;
    const world = fakeWorld({ cwd, isTty: true, input: `${NEXT}\n`, engine: made.engine });
    const { code, err } = await world.run(
      ...['schedule', 'trigger', 'rent', '--run', NEXT, '--reason', 'x'],
    );
    expect(code).toBe(0);
    expect(err).toContain('This run is started now; it is paid at its due time. Type 2026-11-22');
    const wrong = fakeWorld({ cwd, isTty: true, input: 'rent\n', engine: made.engine });
    const refused = await wrong.run(
      ...['schedule', 'trigger', 'rent', '--run', '2026-11-20T09:00', '--reason', 'x'],
    );
    expect([refused.code, refused.err.includes('it is paid at once')]).toEqual([3, true]);
    expect(made.engine.demands).toHaveLength(1);
  });

  it.each([
    ['SCHEDULE_RUN_UNKNOWN', '2026-11-21T09:01'],
    ['SCHEDULE_RUN_UNKNOWN', 'now'],
    ['SCHEDULE_RUN_AHEAD', '2026-11-23T09:00'],
  ])('refuses with %s: %s', async (code, run) => {
    const world = await withRent();
    const { code: exit, value } = await trigger(world, run, '--yes');
    expect([exit, value['code']]).toEqual([2, code]);
    expect(world.engine.demands).toEqual([]);
  });

  it.each([
    ['STARTED', 2],
    ['RUNNING', 2],
    ['ENDED', 2],
    ['FAILED', 0],
    ['MISSED', 0],
    ['SKIPPED', 0],
  ] as const)('of a run that is %s ends with %d', async (state, exit) => {
    const world = await withRent();
    const store = await world.store();
    const run = { scheduleId: 'rent', nominal: '2026-11-20T09:00' };
    await store.scheduleRuns.note(run, { state, detail: '', dueAtMs: 1, atMs: 1 });
    await store.close();
    expect((await trigger(world, run.nominal, '--yes')).code).toBe(exit);
    expect(world.engine.demands).toHaveLength(exit === 0 ? 1 : 0);
  });

  it('names the next batch after one that was rejected, as the inbox does', async () => {
    const world = await withRent();
    const store = await world.store();
    const run = { scheduleId: 'rent', nominal: '2026-11-20T09:00' };
    const failed = {
      state: 'FAILED',
      detail: 'no rows',
      dueAtMs: nowMs - DAY_MS,
      atMs: 1,
    } as const;
    await store.scheduleRuns.note(run, failed);
    await writableDb(store).updateTable('schedule_run').set({ rejected: 1 }).execute();
    await store.close();
    const batchId = 'rent-2026-11-20-2';
    const shown = await world.json('schedule', 'show', 'rent');
    expect(runsOf(shown.value, 'lastRuns')).toMatchObject([{ state: 'FAILED', batchId }]);
    expect((await world.json('inbox')).value['items']).toMatchObject([{ kind: 'RUN', batchId }]);
    expect((await trigger(world, run.nominal, '--yes')).value).toMatchObject({ batchId });
  });

  it('takes the run after the next when that one has happened', async () => {
    const world = await withRent();
    const store = await world.store();
    const run = { scheduleId: 'rent', nominal: NEXT };
    await store.scheduleRuns.note(run, { state: 'ENDED', detail: '', dueAtMs: 1, atMs: 1 });
    await store.close();
    expect((await trigger(world, '2026-11-23T09:00', '--yes')).code).toBe(0);
    expect((await trigger(world, '2026-11-24T09:00', '--yes')).code).toBe(2);
  });

  it('starts a run only once', async () => {
    const world = await withRent();
    await trigger(world, NEXT, '--yes');
    const { value } = await trigger(world, NEXT, '--yes');
    expect(value['code']).toBe('SCHEDULE_RUN_TAKEN');
  });
});

describe('bursar schedule backfill', () => {
  const backfill = (world: FakeWorld, from: string, to: string, ...more: string[]) =>
    world.json(
      ...['schedule', 'backfill', 'rent', '--from', from, '--to', to],
      ...['--reason', 'the server was down', ...more],
    );

  it('starts the runs that did not happen, and lists them before', async () => {
    const world = await withRent();
    const store = await world.store();
    const run = { scheduleId: 'rent', nominal: '2026-11-18T09:00' };
    await store.scheduleRuns.note(run, { state: 'ENDED', detail: '', dueAtMs: 1, atMs: 1 });
    await store.close();
    const { code, value } = await backfill(world, '2026-11-17', '2026-11-30', '--yes');
    expect(code).toBe(0);
    // Not the one that happened, and none that lies ahead.
    const days = ['17', '19', '20', '21'];
    expect(runsOf(value).map(({ run: name }) => name.slice(8, 10))).toEqual(days);
    expect(world.engine.demands.map(({ nominal }) => nominal.slice(8, 10))).toEqual(days);
  });

  it('takes dates by the time that names a run, and not by the due time', async () => {
    const world = await withRent(0, '--shift', 'after');
    const { value } = await backfill(world, '2026-11-14', '2026-11-15', '--yes');
    expect(runsOf(value).map(({ run, dueAt }) => [run, dueAt])).toEqual([
      ['2026-11-14T09:00', '2026-11-16T09:00:00.000Z'],
      ['2026-11-15T09:00', '2026-11-16T09:00:00.000Z'],
    ]);
  });

  it('refuses an excessive number of runs', async () => {
    const world = await withRent();
    const { code, value } = await backfill(world, '2026-01-01', '2026-11-20', '--yes');
    expect([code, value['code']]).toEqual([2, 'BACKFILL_TOO_LARGE']);
    const often = worldOf();
    const rule = ['--cron', '*/10 * * * *', ...RULE.slice(2), '--yes'];
    await often.run('schedule', 'create', 'rent', ...rule);
    expect((await backfill(often, '2016-01-01', '2026-11-20', '--yes')).value['code']).toBe(
      'BACKFILL_TOO_LARGE',
    );
    expect([...world.engine.demands, ...often.engine.demands]).toEqual([]);
  });

  it('starts nothing unasked, nothing twice, and nothing where there is nothing', async () => {
    const world = await withRent();
    expect((await backfill(world, '2026-11-20', '2026-11-20')).code).toBe(2);
    await backfill(world, '2026-11-20', '2026-11-20', '--yes');
    const again = await backfill(world, '2026-11-20', '2026-11-20', '--yes');
    expect([again.code, again.value['code']]).toEqual([2, 'SCHEDULE_RUN_TAKEN']);
    const ahead = await backfill(world, '2026-12-01', '2026-12-05');
    expect([ahead.code, runsOf(ahead.value)]).toEqual([0, []]);
    expect((await backfill(world, '2026-11-21', '2026-11-20')).value['code']).toBe('FLAG_INVALID');
    expect(world.engine.demands).toHaveLength(1);
  });
});
