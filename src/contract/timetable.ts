import type {
  CalendarSpec,
  CalendarSpecDescription,
  Month,
  ScheduleSpec,
} from '@temporalio/client';
import type { TimetableEntry } from '../domain/schedule/timetable.ts';
import { instantOfUtc, utcPartsOf } from '../domain/schedule/zone.ts';

const MONTHS: readonly Month[] = [
  'JANUARY',
  'FEBRUARY',
  'MARCH',
  'APRIL',
  'MAY',
  'JUNE',
  'JULY',
  'AUGUST',
  'SEPTEMBER',
  'OCTOBER',
  'NOVEMBER',
  'DECEMBER',
];

/**
 * The runs for Temporal: one calendar entry for each instant, in UTC, without a rule. Only this engine expands the
 * rules of a zone, and Temporal's own pages show the true instants.
 */
export const specOf = (entries: readonly TimetableEntry[]): ScheduleSpec => ({
  calendars: entries.map(calendarOf),
  timezone: 'UTC',
});

function calendarOf({ startAtMs, nominals }: TimetableEntry): CalendarSpec {
  const { year, month, day, hour, minute, second } = utcPartsOf(startAtMs);
  const comment = `run for ${nominals.join(', ')}`;
  return { year, month: monthName(month), dayOfMonth: day, hour, minute, second, comment };
}

function monthName(month: number): Month {
  const name = MONTHS[month - 1];
  if (name === undefined) throw new Error(`there is no month ${month}`);
  return name;
}

/** The instants that Temporal lists, in milliseconds since 1970; entries that are not ours are left out. */
export const listedInstants = (calendars: readonly CalendarSpecDescription[] = []): number[] =>
  calendars.flatMap((entry) => {
    const parts = {
      year: entry.year[0]?.start ?? 0,
      month: MONTHS.findIndex((name) => name === entry.month[0]?.start) + 1,
      day: entry.dayOfMonth[0]?.start ?? 0,
      hour: entry.hour[0]?.start ?? 0,
      minute: entry.minute[0]?.start ?? 0,
      second: entry.second[0]?.start ?? 0,
    };
    return parts.year === 0 || parts.month === 0 ? [] : [instantOfUtc(parts)];
  });
