import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { batchIdOf } from '../../../src/domain/schedule/names.ts';
import { findRun, nextRuns, runsIn, runsStartingAt } from '../../../src/domain/schedule/runs.ts';
import type { Run } from '../../../src/domain/schedule/timing.ts';
import { wallAt } from './support/intl-clock.ts';
import { at, holidays, iso, timing } from './support/timings.ts';

const told = ({ nominal, dueAtMs, marks }: Run) => [
  nominal,
  iso(dueAtMs).slice(0, 16),
  ...marks.map(({ text }) => text),
];

const fromMs = at('2026-05-01T00:00:00Z');

describe('a month end', () => {
  it('on a Sunday is paid on the Friday before', () => {
    const runs = nextRuns(timing({ shift: 'before' }), fromMs, 3).map(told);
    expect(runs).toEqual([
      [
        '2026-05-31T09:00',
        '2026-05-29T07:00',
        'weekend: moved from Sunday 2026-05-31 to Friday 2026-05-29',
      ],
      ['2026-06-30T09:00', '2026-06-30T07:00'],
      ['2026-07-31T09:00', '2026-07-31T07:00'],
    ]);
  });

  it('on a Sunday is paid on the Monday after', () => {
    const [run] = nextRuns(timing({ shift: 'after' }), fromMs, 1).map(told);
    expect(run).toEqual([
      '2026-05-31T09:00',
      '2026-06-01T07:00',
      'weekend: moved from Sunday 2026-05-31 to Monday 2026-06-01',
    ]);
  });

  it('on a Sunday stays there when nothing is to be moved', () => {
    expect(nextRuns(timing(), fromMs, 1).map(told)).toEqual([
      ['2026-05-31T09:00', '2026-05-31T07:00'],
    ]);
  });

  it('goes on over holidays before the weekend', () => {
    const days = holidays('2026-05-29 Works outing', '2026-05-28');
    const [run] = nextRuns(timing({ shift: 'before', holidays: days }), fromMs, 1).map(told);
    expect(run?.slice(1)).toEqual([
      '2026-05-27T07:00',
      'weekend, holiday (Works outing), holiday: moved from Sunday 2026-05-31 to Wednesday 2026-05-27',
    ]);
  });

  it('follows the weekend of the place', () => {
    const cairo = timing({ shift: 'before', weekend: [5, 6], timezone: 'Africa/Cairo' });
    expect(nextRuns(cairo, at('2026-07-01T00:00:00Z'), 1).map(told)).toEqual([
      [
        '2026-07-31T09:00',
        '2026-07-30T06:00',
        'weekend: moved from Friday 2026-07-31 to Thursday 2026-07-30',
      ],
    ]);
  });
});

describe('clocks that change', () => {
  const nightly = timing({ cron: '30 2 * * *' });

  it('skip a time, which is then as much later as the gap is long', () => {
    expect(nextRuns(nightly, at('2026-03-28T12:00:00Z'), 2).map(told)).toEqual([
      [
        '2026-03-29T02:30',
        '2026-03-29T01:30',
        'DST gap: 02:30 does not exist on 2026-03-29, 03:30 is meant',
      ],
      ['2026-03-30T02:30', '2026-03-30T00:30'],
    ]);
  });

  it('repeat a time, of which the first is meant', () => {
    expect(nextRuns(nightly, at('2026-10-24T12:00:00Z'), 2).map(told)).toEqual([
      [
        '2026-10-25T02:30',
        '2026-10-25T00:30',
        'DST overlap: 02:30 happens twice on 2026-10-25, the first is meant',
      ],
      ['2026-10-26T02:30', '2026-10-26T01:30'],
    ]);
  });

  it('do not matter to a run that is moved off that Sunday', () => {
    const moved = timing({ cron: '30 2 * * 7', shift: 'before' });
    expect(nextRuns(moved, at('2026-03-26T12:00:00Z'), 1).map(told)).toEqual([
      [
        '2026-03-29T02:30',
        '2026-03-27T01:30',
        'weekend: moved from Sunday 2026-03-29 to Friday 2026-03-27',
      ],
    ]);
  });

  it('put two runs on one instant, and both stay', () => {
    const twice = timing({ cron: '30 2,3 * * *' });
    const runs = nextRuns(twice, at('2026-03-28T12:00:00Z'), 2);
    expect(runs.map(told)).toEqual([
      [
        '2026-03-29T02:30',
        '2026-03-29T01:30',
        'DST gap: 02:30 does not exist on 2026-03-29, 03:30 is meant',
        'at the same time as the run for 2026-03-29T03:30: each takes a file of its own',
      ],
      [
        '2026-03-29T03:30',
        '2026-03-29T01:30',
        'at the same time as the run for 2026-03-29T02:30: each takes a file of its own',
      ],
    ]);
    expect(runs.map(({ nominal }) => batchIdOf(twice, nominal))).toEqual([
      'rent-2026-03-29-0230',
      'rent-2026-03-29-0330',
    ]);
  });

  it('can leave a whole day out', () => {
    const daily = timing({ cron: '0 9 * * *', timezone: 'Pacific/Apia' });
    const runs = nextRuns(daily, at('2011-12-29T12:00:00Z'), 3);
    expect(runs.map(({ nominal }) => nominal)).toEqual([
      '2011-12-29T09:00',
      '2011-12-30T09:00',
      '2011-12-31T09:00',
    ]);
    expect(runs[1]?.dueAtMs).toBe(runs[2]?.dueAtMs);
  });
});

describe('days that are moved onto each other', () => {
  const daily = timing({ cron: '0 9 * * *', shift: 'before' });

  it('all stay, in the order of their names', () => {
    const runs = nextRuns(daily, at('2026-05-28T12:00:00Z'), 4);
    expect(runs.map(({ nominal }) => nominal.slice(0, 10))).toEqual([
      '2026-05-29',
      '2026-05-30',
      '2026-05-31',
      '2026-06-01',
    ]);
    expect(runs.slice(0, 3).map(({ marks }) => marks.at(-1)?.code)).toEqual(
      Array(3).fill('SAME_TIME'),
    );
    expect(runsStartingAt(daily, at('2026-05-29T07:00:00Z')).map(told)).toEqual(
      runs.slice(0, 3).map(told),
    );
  });

  it('are in the order of their due times, under any names', () => {
    const twice = timing({ cron: '0 8,17 * * *', shift: 'before' });
    const runs = nextRuns(twice, at('2026-05-29T00:00:00Z'), 8);
    expect(runs.map(({ nominal }) => nominal.slice(8))).toEqual([
      ...['29T08:00', '30T08:00', '31T08:00', '29T17:00', '30T17:00', '31T17:00'],
      ...['01T08:00', '01T17:00'],
    ]);
    expect(nextRuns(twice, at('2026-05-29T00:00:00Z'), 2)).toEqual(runs.slice(0, 2));
  });
});

describe('a lead', () => {
  it('begins a run before it is due', () => {
    const [run] = nextRuns(timing({ leadMs: 3_600_000 }), at('2026-05-31T05:59:59Z'), 1);
    expect(run).toMatchObject({
      startAtMs: at('2026-05-31T06:00:00Z'),
      dueAtMs: at('2026-05-31T07:00:00Z'),
      latestStartMs: at('2026-05-31T07:10:00Z'),
    });
    const [next] = nextRuns(timing({ leadMs: 3_600_000 }), at('2026-05-31T06:00:00Z'), 1);
    expect(next?.nominal).toBe('2026-06-30T09:00');
  });
});

describe('a leap day', () => {
  it('comes every four years', () => {
    const leap = timing({ cron: '0 9 29 2 *' });
    expect(nextRuns(leap, fromMs, 2).map(({ nominal }) => nominal)).toEqual([
      '2028-02-29T09:00',
      '2032-02-29T09:00',
    ]);
  });

  it('is the last of its month', () => {
    const last = timing({ cron: '0 9 L 2 *' });
    expect(nextRuns(last, fromMs, 2).map(({ nominal }) => nominal)).toEqual([
      '2027-02-28T09:00',
      '2028-02-29T09:00',
    ]);
  });
});

describe('a run', () => {
  const moved = timing({ shift: 'before' });

  it('is found by its name', () => {
    expect(findRun(moved, '2026-05-31T09:00')).toEqual(nextRuns(moved, fromMs, 1)[0]);
  });

  it.each(['2026-05-29T09:00', '2026-05-31T09:01', '2026-02-30T09:00', '2026-05-31', 'x', ''])(
    'is not found by %j',
    (nominal) => expect(findRun(moved, nominal)).toBeUndefined(),
  );

  it('begins at its instant and at no other', () => {
    const startMs = at('2026-05-29T07:00:00Z');
    expect(runsStartingAt(moved, startMs)).toHaveLength(1);
    expect(runsStartingAt(moved, startMs + 1_000)).toEqual([]);
    expect(runsStartingAt(moved, startMs - 1_000)).toEqual([]);
  });
});

const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo', 'UTC'];

describe('any schedule', () => {
  const schedules = fc.record({
    timezone: fc.constantFrom(...ZONES),
    shift: fc.constantFrom('none' as const, 'before' as const, 'after' as const),
    hour: fc.integer({ min: 0, max: 23 }),
    minute: fc.integer({ min: 0, max: 59 }),
    days: fc.constantFrom('* * *', 'L * *', '1,15 * *', '* * 1,5', '* * 1-5', '29 * *'),
    leadMs: fc.constantFrom(0, 7_200_000),
    afterMs: fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2035-01-01T00:00:00Z') }),
    off: fc.uniqueArray(fc.integer({ min: 0, max: 400 }), { maxLength: 30 }),
  });

  type Given = typeof schedules extends fc.Arbitrary<infer Value> ? Value : never;

  const built = ({ timezone, shift, hour, minute, days, leadMs, afterMs, off }: Given) =>
    timing({
      timezone,
      shift,
      leadMs,
      cron: `${minute} ${hour} ${days}`,
      holidays: holidays(...off.map((day) => iso(afterMs + day * 86_400_000).slice(0, 10)).sort()),
    });

  it('has runs in order, each once, on business days, at the time of the rule', () => {
    fc.assert(
      fc.property(schedules, (given) => {
        const { afterMs, timezone, shift, off } = given;
        const schedule = built(given);
        const runs = nextRuns(schedule, afterMs, 25);
        expect(runs).toHaveLength(25);
        expect(new Set(runs.map(({ nominal }) => nominal)).size).toBe(25);
        const dues = runs.map(({ dueAtMs }) => dueAtMs);
        expect(dues).toEqual([...dues].sort((a, b) => a - b));
        const daysOff = new Set(off.map((day) => iso(afterMs + day * 86_400_000).slice(0, 10)));
        for (const { dueAtMs, nominal, marks } of runs) {
          const wall = wallAt(dueAtMs, timezone);
          const weekday = new Date(`${wall}Z`).getUTCDay();
          const isInGap = marks.some(({ code }) => code === 'DST_GAP');
          if (!isInGap) expect(wall.slice(11)).toBe(nominal.slice(11));
          if (shift === 'none') continue;
          expect([0, 6]).not.toContain(weekday);
          expect(daysOff.has(wall.slice(0, 10))).toBe(false);
          if (shift === 'before') expect(wall.slice(0, 10) <= nominal.slice(0, 10)).toBe(true);
          else expect(wall.slice(0, 10) >= nominal.slice(0, 10)).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('is the same one by one, in a window, and by name', () => {
    fc.assert(
      fc.property(schedules, (given) => {
        const schedule = built(given);
        const runs = nextRuns(schedule, given.afterMs, 12);
        const untilMs = runs.at(-1)?.startAtMs ?? 0;
        const windowed = runsIn(schedule, { afterMs: given.afterMs, untilMs }, 1_000);
        expect(windowed.slice(0, 12)).toEqual(runs);
        expect(nextRuns(schedule, given.afterMs, 5)).toEqual(runs.slice(0, 5));
        for (const run of runs) {
          expect(findRun(schedule, run.nominal)).toEqual(run);
          expect(runsStartingAt(schedule, run.startAtMs)).toContainEqual(run);
        }
      }),
      { numRuns: 100 },
    );
  });
});
