import { BursarError } from '../errors/bursar-error.ts';
import { WEEKDAYS } from './zone.ts';

const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;
/** The last day that every month has. */
const DAY_OF_MONTH_MAX = 28;
const DAYS_OF_MONTHS = [31, DAY_OF_MONTH_MAX, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Reads a rule such as `daily 09:00`, `weekdays 09:00`, `weekly mon,thu 09:00`, `monthly 1,15 09:00`, `monthly last
 * 09:00` or `yearly 12-24 09:00`, and returns it as cron. Throws CALENDAR_INVALID, also for days that some months lack:
 * a rule for the 31st means the last day.
 */
export function cronOfCalendar(text: string, weekend: readonly number[]): string {
  const words = text.trim().toLowerCase().split(/\s+/);
  const [, hour, minute] = TIME.exec(words.at(-1) ?? '') ?? [];
  if (hour === undefined || minute === undefined) {
    throw invalid(text, 'it must end with a time such as 09:00');
  }
  const days = daysOf(text, words.slice(0, -1), weekend);
  return `${Number(minute)} ${Number(hour)} ${days}`;
}

/** Day of the month, month and weekday, as cron has them. */
function daysOf(text: string, words: readonly string[], weekend: readonly number[]): string {
  const [kind, days, ...more] = words;
  const isAlone = days === undefined;
  if (kind === 'daily' && isAlone) return '* * *';
  if (kind === 'weekdays' && isAlone) return `* * ${businessDays(weekend).join(',')}`;
  if (days === undefined || more.length > 0) throw invalid(text, `it is none of ${FORMS}`);
  if (kind === 'weekly') return `* * ${list(text, days, weekdayNumber).join(',')}`;
  if (kind === 'monthly' && days === 'last') return 'L * *';
  if (kind === 'monthly') return `${list(text, days, dayOfMonth).join(',')} * *`;
  if (kind === 'yearly') return yearly(text, days);
  throw invalid(text, `it is none of ${FORMS}`);
}

const FORMS =
  '"daily 09:00", "weekdays 09:00", "weekly mon,thu 09:00", "monthly 1,15 09:00", "monthly last 09:00", "yearly 12-24 09:00"';

const businessDays = (weekend: readonly number[]): number[] =>
  WEEKDAYS.map((_, i) => i + 1).filter((day) => !weekend.includes(day));

/** The number of a weekday, 1 (Monday) to 7; undefined for any other word. Takes `mon` and `monday`. */
export function weekdayNumber(word: string): number | undefined {
  const names = WEEKDAYS.map((name) => name.toLowerCase());
  const index = names.findIndex((name) => word === name || word === name.slice(0, 3));
  return index < 0 ? undefined : index + 1;
}

function dayOfMonth(word: string): number | undefined {
  const day = /^\d{1,2}$/.test(word) ? Number(word) : 0;
  return day >= 1 && day <= DAY_OF_MONTH_MAX ? day : undefined;
}

/** A comma list without repetitions. */
function list(
  text: string,
  words: string,
  read: (word: string) => number | undefined,
): readonly number[] {
  const numbers = words.split(',').map((word) => {
    const number = read(word);
    if (number !== undefined) return number;
    const isLateDay = read === dayOfMonth && /^(29|30|31)$/.test(word);
    throw invalid(
      text,
      isLateDay
        ? `not every month has a day ${word}; write "monthly last" for the last day`
        : `"${word}" is no day`,
    );
  });
  if (new Set(numbers).size === numbers.length) return numbers;
  throw invalid(text, 'it names a day twice');
}

function yearly(text: string, date: string): string {
  const [, month, day] = /^(\d{2})-(\d{2})$/.exec(date) ?? [];
  const days = DAYS_OF_MONTHS[Number(month) - 1];
  if (days !== undefined && Number(day) >= 1 && Number(day) <= days) {
    return `${Number(day)} ${Number(month)} *`;
  }
  throw invalid(text, `"${date}" is no month and day that every year has, such as 12-24`);
}

const invalid = (text: string, problem: string): BursarError =>
  new BursarError('CALENDAR_INVALID', { text, problem });
