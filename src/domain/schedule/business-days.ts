import type { Temporal } from 'temporal-polyfill';
import { BursarError } from '../errors/bursar-error.ts';
import type { Holiday, Timing } from './timing.ts';
import { weekdayOf } from './zone.ts';

/** Days in a row without business that a run is moved over; more is a mistake in the holiday file. */
const SHIFT_DAYS_MAX = 31;

/** Where a date is moved to, and over what. */
export type Shifted = Readonly<{
  date: Temporal.PlainDate;
  isOverWeekend: boolean;
  /** The holidays among the days that were passed over. */
  holidays: readonly Holiday[];
}>;

/**
 * Moves a date off weekends and holidays, as the schedule defines. Throws HOLIDAYS_INVALID when there is no other day.
 */
export function shiftDate(from: Temporal.PlainDate, timing: Timing): Shifted {
  const holidays: Holiday[] = [];
  let isOverWeekend = false;
  let date = from;
  for (let days = 0; timing.shift !== 'none' && days <= SHIFT_DAYS_MAX; days += 1) {
    const holiday = holidayOn(date, timing);
    const isWeekend = timing.weekend.includes(date.dayOfWeek);
    if (holiday === undefined && !isWeekend) break;
    if (holiday !== undefined) holidays.push(holiday);
    isOverWeekend ||= isWeekend;
    date = date.add({ days: timing.shift === 'before' ? -1 : 1 });
    if (days === SHIFT_DAYS_MAX) throw nowhereToGo(from, timing);
  }
  return { date, isOverWeekend, holidays };
}

/** The first date whose run may be moved to `date` or later. */
export const earliestMovedTo = (date: Temporal.PlainDate, timing: Timing): Temporal.PlainDate =>
  timing.shift === 'after' ? endOfDaysOff(date, timing, -1) : date;

/** The last date whose run may be moved to `date` or earlier. */
export const latestMovedTo = (date: Temporal.PlainDate, timing: Timing): Temporal.PlainDate =>
  timing.shift === 'before' ? endOfDaysOff(date, timing, 1) : date;

/** The last of the days off that follow a date in one direction. */
function endOfDaysOff(date: Temporal.PlainDate, timing: Timing, step: 1 | -1): Temporal.PlainDate {
  let end = date;
  for (let days = 0; days <= SHIFT_DAYS_MAX; days += 1) {
    const next = end.add({ days: step });
    if (!isDayOff(next, timing)) break;
    end = next;
  }
  return end;
}

const isDayOff = (date: Temporal.PlainDate, timing: Timing): boolean =>
  timing.weekend.includes(date.dayOfWeek) || holidayOn(date, timing) !== undefined;

function holidayOn(date: Temporal.PlainDate, { holidays }: Timing): Holiday | undefined {
  const text = date.toString();
  return holidays?.days.find((day) => day.date === text);
}

const nowhereToGo = (from: Temporal.PlainDate, { holidays }: Timing): BursarError =>
  new BursarError('HOLIDAYS_INVALID', {
    file: holidays?.file ?? '--weekend',
    problem: `from ${weekdayOf(from.dayOfWeek)} ${from.toString()} on there is no business day within ${SHIFT_DAYS_MAX} days`,
  });
