import { describe, expect, it } from '@jest/globals';
import { cronOfCalendar } from '../../../src/domain/schedule/calendar-text.ts';
import { checkTiming } from '../../../src/domain/schedule/check-timing.ts';
import { checkCron } from '../../../src/domain/schedule/cron.ts';
import { parseHolidays } from '../../../src/domain/schedule/holidays.ts';
import { batchIdOf, checkScheduleId } from '../../../src/domain/schedule/names.ts';
import { at, holidays, timing } from './support/timings.ts';

const withCode = (code: string) => expect.objectContaining({ code });
const WEEKEND = [6, 7];

describe('the sentence of a rule', () => {
  it.each<{ text: string; cron: string }>`
    text                        | cron
    ${'daily 09:00'}            | ${'0 9 * * *'}
    ${'weekdays 17:30'}         | ${'30 17 * * 1,2,3,4,5'}
    ${'weekly mon,thu 09:00'}   | ${'0 9 * * 1,4'}
    ${'Weekly  Sunday  00:00 '} | ${'0 0 * * 7'}
    ${'monthly 1,15 09:00'}     | ${'0 9 1,15 * *'}
    ${'monthly last 23:59'}     | ${'59 23 L * *'}
    ${'yearly 12-24 09:00'}     | ${'0 9 24 12 *'}
  `('"$text" is $cron', ({ text, cron }) => {
    expect(cronOfCalendar(text, WEEKEND)).toBe(cron);
    expect(checkCron(cron)).toBe(cron);
  });

  it('names the business days', () => {
    expect(cronOfCalendar('weekdays 09:00', [5, 6])).toBe('0 9 * * 1,2,3,4,7');
  });

  it.each([
    ...['', 'daily', '09:00', 'daily 9:00', 'daily 24:00', 'daily 09:60', 'daily 09:00 10:00'],
    ...['hourly 09:00', 'weekly 09:00', 'weekly someday 09:00', 'weekly mon,mon 09:00'],
    ...['weekly mon, thu 09:00', 'monthly 0 09:00', 'monthly 29 09:00', 'monthly 31 09:00'],
    ...['monthly 1;15 09:00', 'monthly 1e1 09:00', 'yearly 02-29 09:00', 'yearly 13-01 09:00'],
    ...['yearly 24-12 09:00', 'yearly 4-31 09:00', 'yearly 04-31 09:00', 'weekdays mon 09:00'],
    ...['daily\u000009:00', 'тыж mon 09:00'],
  ])('%j is none', (text) => {
    expect(() => cronOfCalendar(text, WEEKEND)).toThrow(withCode('CALENDAR_INVALID'));
  });

  it('suggests another word for a day that not every month has', () => {
    expect(() => cronOfCalendar('monthly 31 09:00', WEEKEND)).toThrow(/monthly last/);
  });
});

describe('cron', () => {
  it.each([
    ['0 9 L * *', '0 9 L * *'],
    ['  0   9 * *  MON-FRI ', '0 9 * * MON-FRI'],
    ['0 9 LW * *', '0 9 LW * *'],
    ['0 9 * * FRI#2', '0 9 * * FRI#2'],
    ['0 9 13 * +FRI', '0 9 13 * +FRI'],
    ['*/15 9-17 * JAN,JUL *', '*/15 9-17 * JAN,JUL *'],
  ])('%j is a rule', (text, cron) => expect(checkCron(text)).toBe(cron));

  it.each([
    ...['', '* * * *', '0 0 9 * * *', '60 9 * * *', '0 24 * * *', '0 9 32 * *', '0 9 0 * *'],
    ...[
      '0 9 * 13 *',
      '0 9 * * 8',
      '@daily',
      '0 9 ? * *',
      '5-1 9 * * *',
      '0 9 L-2 * *',
      'a b c d e',
    ],
    ...['0 9 13 * 5', '0 9 13 * FRI', '-5 9 * * *', '0,,1 9 * * *', '0 9 * * *;rm', '0x9 9 * * *'],
  ])('%j is none', (text) => {
    expect(() => checkCron(text)).toThrow(withCode('CRON_INVALID'));
  });
});

describe('a holiday file', () => {
  it('has a date on each line, with its name', () => {
    const text =
      '\uFEFF# Germany\r\n2026-12-26\r\n\r\n2026-12-25 Christmas Day\r\n2027-01-01,New Year\n';
    expect(parseHolidays('days.txt', text)).toEqual([
      { date: '2026-12-25', name: 'Christmas Day' },
      { date: '2026-12-26', name: '' },
      { date: '2027-01-01', name: 'New Year' },
    ]);
  });

  it.each([
    ['', /no dates/],
    ['# nothing\n', /no dates/],
    ['25.12.2026 Christmas', /line 1/],
    ['2026-12-25\n2026-13-01', /line 2/],
    ['2026-02-29', /line 1/],
    ['2026-12-25x', /line 1/],
    ['2026-12-25\n2026-12-25 again', /second time/],
    ['BEGIN:VCALENDAR', /line 1/],
    ['\u0000\u0001', /line 1/],
  ])('%j cannot be used', (text, problem) => {
    const read = () => parseHolidays('days.txt', text);
    expect(read).toThrow(withCode('HOLIDAYS_INVALID'));
    expect(read).toThrow(problem);
  });

  it('of any bytes is read or refused, and nothing else', () => {
    const text = Array.from({ length: 6_000 }, (_, i) =>
      new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10),
    ).join('\n');
    expect(() => parseHolidays('days.txt', text)).toThrow(/more than/);
  });
});

describe('a schedule', () => {
  const nowMs = at('2026-11-21T09:00:00Z');
  const check = (more: Parameters<typeof timing>[0]) => () => checkTiming(timing(more), nowMs);

  it.each([{}, { cron: '0 9 29 2 *' }, { cron: '*/5 * * * *' }, { leadMs: 20 * 86_400_000 }])(
    'may be %j',
    (more) => expect(check(more)).not.toThrow(),
  );

  it.each(['30 2 31 2 *', '0 9 31 4,6,9,11 *', '0 9 29 2 +MON'])('%s never happens', (cron) => {
    expect(check({ cron })).toThrow(withCode('SCHEDULE_NEVER_RUNS'));
  });

  it.each(['* 9 * * *', '0,1 9 1 1 *', '*/4 * * * *'])('%s happens too often', (cron) => {
    expect(check({ cron })).toThrow(withCode('SCHEDULE_TOO_OFTEN'));
  });

  it('does not begin a run before the one before it is due', () => {
    expect(check({ cron: '0 9 * * *', leadMs: 86_400_000 })).toThrow(withCode('LEAD_TOO_LONG'));
    expect(check({ cron: '0 9 * * *', leadMs: 80_000_000 })).not.toThrow();
  });

  it('may have runs that fall together', () => {
    expect(check({ cron: '0 9 * * *', shift: 'before' })).not.toThrow();
  });

  it.each([
    ['every day is a weekend', { weekend: [1, 2, 3, 4, 5, 6, 7] }],
    ['the holidays are over', { holidays: holidays('2025-12-25 Christmas') }],
    [
      'holidays never end',
      {
        holidays: holidays(
          ...Array.from({ length: 60 }, (_, i) =>
            new Date(Date.UTC(2027, 0, 1 + i)).toISOString().slice(0, 10),
          ),
        ),
      },
    ],
  ])('cannot be moved when %s', (_why, more) => {
    expect(check({ shift: 'after', ...more })).toThrow(withCode('HOLIDAYS_INVALID'));
  });

  it.each(['', '-x', 'a b', 'a/b', '../a', 'ä', 'x'.repeat(49), 'rent\n'])(
    'is not called %j',
    (id) => expect(() => checkScheduleId(id)).toThrow(withCode('SCHEDULE_ID_INVALID')),
  );

  it('gives each run a batch id that any batch may have', () => {
    const long = checkScheduleId('x'.repeat(48));
    const id = batchIdOf({ scheduleId: long, cron: '0 9,17 * * *' }, '2026-11-30T09:00');
    expect(id).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/);
    expect(batchIdOf({ scheduleId: 'rent', cron: '0 9 L * *' }, '2026-11-30T09:00')).toBe(
      'rent-2026-11-30',
    );
  });

  it('counts on after batches that were rejected, in ids that any batch may have', () => {
    const daily = { scheduleId: 'rent', cron: '0 9 * * *' };
    const ids = [0, 1, 2].map((rejected) => batchIdOf(daily, '2026-11-30T09:00', rejected));
    expect(ids).toEqual(['rent-2026-11-30', 'rent-2026-11-30-2', 'rent-2026-11-30-3']);
    const long = { scheduleId: 'x'.repeat(48), cron: '0 9,17 * * *' };
    const of = (time: string, rejected: number) =>
      batchIdOf(long, `2026-11-30T${time}`, rejected).replace(/^x+/, '');
    expect(of('09:00', 98)).toBe('-202611300900-99');
    expect(of('17:00', 1)).toBe('-202611301700-2');
  });
});
