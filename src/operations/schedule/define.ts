import type { Settings } from '../../config.ts';
import type { ScheduleDefinition } from '../../contract/schedule.ts';
import { cronOfCalendar, weekdayNumber } from '../../domain/schedule/calendar-text.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { checkTiming } from '../../domain/schedule/check-timing.ts';
import { checkCron } from '../../domain/schedule/cron.ts';
import { checkFilePattern } from '../../domain/schedule/file-pattern.ts';
import { checkScheduleId } from '../../domain/schedule/names.ts';
import type { Shift, Timing } from '../../domain/schedule/timing.ts';
import { checkZone } from '../../domain/schedule/zone.ts';
import { ACCOUNT_REF } from '../batch/start.ts';
import { type BatchChoices, batchOptionsOf } from '../input/batch-choices.ts';
import { type HolidayFile, holidaysOf } from './read-holidays.ts';

/** When a schedule runs. Durations are milliseconds. `cron` or `calendar` is needed. `catchUpMs`: missing: that of the settings. */
export type TimingWish = Readonly<{
  cron?: string;
  calendar?: string;
  timezone: string;
  shift: Shift;
  /** Days of the week, such as `sat`; missing: `sat` and `sun`. */
  weekend?: readonly string[];
  holidays?: HolidayFile;
  leadMs: number;
  catchUpMs?: number;
}>;

/** The choices of each batch of a schedule: those of a batch without its id and its times. */
export type RunChoices = {
  readonly [Name in keyof BatchChoices as Exclude<Name, OneBatch>]: BatchChoices[Name];
};

type OneBatch = 'id' | 'at' | 'executionDate' | 'beforeScheduled';

/** `file`: the name of its files in the folder of scheduled files. */
export type DefinitionWish = TimingWish &
  Readonly<{ file: string; allowUnchanged: boolean; choices: RunChoices }>;

/** A definition that may have no file yet: then it has only times. */
export type DraftWish = TimingWish &
  Readonly<{ file?: string; allowUnchanged: boolean; choices: RunChoices }>;

type Place = Readonly<{ settings: Settings; nowMs: number }>;

/** Checks everything that a schedule is made of. @throws REQUEST_UNUSABLE for what contradicts itself, and as {@link defineTiming} */
export function defineSchedule(
  scheduleId: string,
  wish: DefinitionWish,
  { settings, nowMs }: Place,
): ScheduleDefinition {
  const timing = defineTiming(scheduleId, wish, { settings, nowMs });
  const { file, allowUnchanged, choices } = wish;
  const batch = { ...choices, id: null, at: null, executionDate: null, beforeScheduled: false };
  return {
    ...timing,
    accountRef: ACCOUNT_REF,
    file: { pattern: checkFilePattern(file), allowUnchanged },
    options: batchOptionsOf(batch, settings),
  };
}

/** Checks the timing of a schedule, and refuses one whose next runs cannot be meant. */
export function defineTiming(
  scheduleId: string,
  wish: TimingWish & Partial<DefinitionWish>,
  { settings, nowMs }: Place,
): Timing {
  refuseContradiction(wish);
  const { shift, holidays, leadMs, catchUpMs = settings.schedule.catchUpMs } = wish;
  const weekend = weekendOf(wish);
  const timing: Timing = {
    scheduleId: checkScheduleId(scheduleId),
    ...ruleOf(wish, weekend),
    timezone: checkZone(wish.timezone),
    shift,
    weekend,
    holidays: holidays === undefined ? null : holidaysOf(holidays),
    leadMs,
    catchUpMs,
  };
  checkTiming(timing, nowMs);
  return timing;
}

function refuseContradiction(wish: TimingWish & Partial<DefinitionWish>): void {
  const found = contradictionIn(wish, (field) => field);
  if (found === null) return;
  const [field, problem] = found;
  throw new BursarError('REQUEST_UNUSABLE', { problems: `definition.${field}: ${problem}` });
}

/** The fields that can contradict others. */
export type DefinitionField = 'cron' | 'calendar' | 'weekend' | 'holidays' | 'shift' | AlsoNamed;

type AlsoNamed = 'catchUpMs' | 'allowUnchanged' | 'accept';

/** The first field that contradicts others, and why; null: none does. `nameOf`: the name of a field for the reader. */
export function contradictionIn(
  wish: TimingWish & Partial<DefinitionWish>,
  nameOf: (field: DefinitionField) => string,
): readonly [field: DefinitionField, problem: string] | null {
  const { cron, calendar, holidays, shift, catchUpMs, allowUnchanged, choices } = wish;
  if (cron !== undefined && calendar !== undefined) {
    return ['calendar', `cannot be used together with ${nameOf('cron')}`];
  }
  if (cron === undefined && calendar === undefined) {
    return ['cron', `is missing; give it or ${nameOf('calendar')}`];
  }
  const weekend = weekendFault(wish, nameOf);
  if (weekend !== null) return ['weekend', weekend];
  if (shift === 'none' && holidays !== undefined) return ['holidays', unusedWithout(nameOf)];
  if (catchUpMs !== undefined && (catchUpMs < CATCH_UP_MS_MIN || catchUpMs > CATCH_UP_MS_MAX)) {
    return ['catchUpMs', 'must be from 10s to 1d'];
  }
  if (allowUnchanged === true && choices?.accept.includes('SAME_FILE_AGAIN') !== true) {
    const why = 'without it every batch after the first would be rejected';
    return ['allowUnchanged', `needs ${nameOf('accept')} SAME_FILE_AGAIN too: ${why}`];
  }
  return null;
}

const unusedWithout = (nameOf: (field: DefinitionField) => string): string =>
  `has no effect without ${nameOf('shift')} before or ${nameOf('shift')} after`;

function weekendFault(
  { weekend, shift, calendar }: TimingWish,
  nameOf: (field: DefinitionField) => string,
): string | null {
  if (weekend === undefined) return null;
  const counts = shift !== 'none' || calendar?.trim().startsWith('weekdays') === true;
  if (!counts) return unusedWithout(nameOf);
  const days = weekend.map(dayNumber);
  const unknown = weekend.find((_, i) => days[i] === undefined);
  if (unknown !== undefined) return `"${unknown}" is no day of the week, such as sat`;
  return new Set(days).size === days.length && days.length < DAYS_OF_WEEK
    ? null
    : 'names a day twice, or every day';
}

const dayNumber = (word: string): number | undefined => weekdayNumber(word.trim().toLowerCase());

const WEEKEND_DEFAULT = ['sat', 'sun'];

const weekendOf = ({ weekend = WEEKEND_DEFAULT }: TimingWish): readonly number[] =>
  weekend
    .map(dayNumber)
    .filter((day) => day !== undefined)
    .sort((a, b) => a - b);

function ruleOf(
  { cron, calendar = '' }: TimingWish,
  weekend: readonly number[],
): Readonly<{ rule: string; cron: string }> {
  if (cron !== undefined) return { rule: checkCron(cron), cron: checkCron(cron) };
  const rule = calendar.trim().split(/\s+/).join(' ');
  return { rule, cron: checkCron(cronOfCalendar(calendar, weekend)) };
}

const DAYS_OF_WEEK = 7;

/** The least that Temporal takes, and a day; in milliseconds. */
const CATCH_UP_MS_MIN = 10_000;
const CATCH_UP_MS_MAX = 86_400_000;
