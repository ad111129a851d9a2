import type { Settings } from '../../config.ts';
import type { ScheduleDefinition } from '../../contract/schedule.ts';
import { cronOfCalendar, weekdayNumber } from '../../domain/schedule/calendar-text.ts';
import { checkTiming } from '../../domain/schedule/check-timing.ts';
import { checkCron } from '../../domain/schedule/cron.ts';
import { checkFilePattern } from '../../domain/schedule/file-pattern.ts';
import { checkScheduleId } from '../../domain/schedule/names.ts';
import { type Shift, SHIFTS, type Timing } from '../../domain/schedule/timing.ts';
import { checkZone } from '../../domain/schedule/zone.ts';
import { ACCOUNT_REF } from '../batch/start.ts';
import type { OperationContext } from '../context.ts';
import {
  type BatchFlags,
  batchOptionsOf,
  type PaymentFlags,
  readBatchChoices,
} from '../input/batch-choices.ts';
import { readDurationMs } from '../input/duration.ts';
import { flagInvalid } from '../input/flag-error.ts';
import { readHolidays } from './read-holidays.ts';

/** The flags of a schedule's timing, as they were typed. */
type TimingFlags = Readonly<{
  cron?: string;
  calendar?: string;
  timezone?: string;
  shift?: string;
  weekend?: string;
  holidays?: string;
  lead?: string;
  catchUp?: string;
}>;

/** The flags of a schedule. */
export type DefinitionFlags = TimingFlags &
  PaymentFlags &
  Readonly<{ file?: string; allowUnchanged?: boolean }>;

type Place = Readonly<{ settings: Settings; context: OperationContext }>;

/** Checks everything that a schedule is made of. Throws the first usage error. */
export async function defineSchedule(
  scheduleId: string,
  flags: DefinitionFlags,
  { settings, context }: Place,
): Promise<ScheduleDefinition> {
  const timing = await defineTiming(scheduleId, flags, { settings, context });
  const choices = readBatchChoices(batchFlagsOf(flags), context.clock.nowMs());
  const allowUnchanged = flags.allowUnchanged ?? false;
  if (flags.file === undefined) throw flagInvalid('--file', 'is missing');
  if (allowUnchanged && !choices.accept.includes('SAME_FILE_AGAIN')) {
    throw flagInvalid(
      '--allow-unchanged',
      'needs --accept SAME_FILE_AGAIN too: without it every batch after the first would be rejected',
    );
  }
  return {
    ...timing,
    accountRef: ACCOUNT_REF,
    file: { pattern: checkFilePattern(flags.file), allowUnchanged },
    options: batchOptionsOf(choices, settings),
  };
}

/** A file's own flags, and none that would fix one batch: neither id nor time. */
const batchFlagsOf = (flags: DefinitionFlags): BatchFlags => {
  const { currency, skipInvalid, expectCount, expectTotal, accept } = flags;
  const { funds, canary, stopLoss, sheet, decimalComma, column, ignoreColumn } = flags;
  const given = {
    currency,
    skipInvalid,
    expectCount,
    expectTotal,
    accept,
    funds,
    canary,
    stopLoss,
    sheet,
    decimalComma,
    column,
    ignoreColumn,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
};

/** Checks the timing of a schedule, and refuses one whose next runs cannot be meant. */
export async function defineTiming(
  scheduleId: string,
  flags: TimingFlags,
  { settings, context }: Place,
): Promise<Timing> {
  const shift = readShift(flags.shift ?? 'none');
  const weekend = readWeekend(flags);
  const timing: Timing = {
    scheduleId: checkScheduleId(scheduleId),
    ...readRule(flags, weekend),
    timezone: readZone(flags.timezone),
    shift,
    weekend,
    holidays: flags.holidays === undefined ? null : await readHolidays(flags.holidays, context),
    leadMs: flags.lead === undefined ? 0 : readDurationMs('--lead', flags.lead),
    catchUpMs: readCatchUp(flags.catchUp, settings),
  };
  if (shift === 'none' && timing.holidays !== null) {
    throw flagInvalid('--holidays', 'means nothing without --shift before or --shift after');
  }
  checkTiming(timing, context.clock.nowMs());
  return timing;
}

function readRule(
  { cron, calendar }: TimingFlags,
  weekend: readonly number[],
): Readonly<{ rule: string; cron: string }> {
  if (cron !== undefined && calendar !== undefined) {
    throw flagInvalid('--calendar', 'cannot stand together with --cron');
  }
  if (cron !== undefined) return { rule: checkCron(cron), cron: checkCron(cron) };
  if (calendar === undefined) throw flagInvalid('--cron', 'is missing; give it or --calendar');
  const rule = calendar.trim().split(/\s+/).join(' ');
  return { rule, cron: checkCron(cronOfCalendar(calendar, weekend)) };
}

function readZone(timezone: string | undefined): string {
  if (timezone !== undefined) return checkZone(timezone);
  throw flagInvalid('--timezone', 'is missing; 09:00 is another moment in each zone');
}

function readShift(text: string): Shift {
  const shift = SHIFTS.find((one) => one === text);
  if (shift !== undefined) return shift;
  throw flagInvalid('--shift', `"${text}" is none of ${SHIFTS.join(', ')}`);
}

const WEEKEND_DEFAULT = 'sat,sun';

function readWeekend({ weekend, shift, calendar }: TimingFlags): readonly number[] {
  const counts = (shift ?? 'none') !== 'none' || calendar?.trim().startsWith('weekdays') === true;
  if (weekend !== undefined && !counts) {
    throw flagInvalid('--weekend', 'means nothing without --shift before or --shift after');
  }
  const days = (weekend ?? WEEKEND_DEFAULT).split(',').map((word) => {
    const day = weekdayNumber(word.trim().toLowerCase());
    if (day !== undefined) return day;
    throw flagInvalid('--weekend', `"${word}" is no day of the week, such as sat`);
  });
  if (new Set(days).size === days.length && days.length < DAYS_OF_WEEK) {
    return days.sort((a, b) => a - b);
  }
  throw flagInvalid('--weekend', 'names a day twice, or every day');
}

const DAYS_OF_WEEK = 7;

/** The least that Temporal takes, and a day; in milliseconds. */
const CATCH_UP_MS_MIN = 10_000;
const CATCH_UP_MS_MAX = 86_400_000;

function readCatchUp(text: string | undefined, { schedule }: Settings): number {
  if (text === undefined) return schedule.catchUpMs;
  const catchUpMs = readDurationMs('--catch-up', text);
  if (catchUpMs >= CATCH_UP_MS_MIN && catchUpMs <= CATCH_UP_MS_MAX) return catchUpMs;
  throw flagInvalid('--catch-up', 'must be from 10s to 1d');
}
