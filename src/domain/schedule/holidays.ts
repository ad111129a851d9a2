import { Temporal } from 'temporal-polyfill';
import { BursarError } from '../errors/bursar-error.ts';
import type { Holiday } from './timing.ts';
import { counted } from '../text/counted.ts';

/** Days of one holiday file: more than a country has in a century. */
const DAYS_MAX = 5_000;

/**
 * Reads a holiday file: a date such as `2026-12-25` on each line, and after a space its name. Empty lines, and lines
 * that start with #, have no effect. Throws HOLIDAYS_INVALID, also for a file without dates and for a date twice.
 */
export function parseHolidays(file: string, text: string): Holiday[] {
  const days: Holiday[] = [];
  const seen = new Set<string>();
  text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .forEach((line, index) => {
      const content = line.trim();
      if (content === '' || content.startsWith('#')) return;
      const day = readDay(content);
      const place = `line ${index + 1}`;
      if (day === undefined) {
        throw invalid(file, `${place} does not start with a date such as 2026-12-25`);
      }
      if (seen.has(day.date)) throw invalid(file, `${place} has ${day.date} a second time`);
      seen.add(day.date);
      days.push(day);
    });
  if (days.length === 0) throw invalid(file, 'it has no dates');
  if (days.length > DAYS_MAX) throw invalid(file, `it has more than ${counted(DAYS_MAX, 'date')}`);
  return days.sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** Characters of a name that are kept; it stands beside a run. */
const NAME_LENGTH_MAX = 60;

function readDay(content: string): Holiday | undefined {
  const [, date, rest = ''] = /^(\d{4}-\d{2}-\d{2})(?:[\s,;](.*))?$/s.exec(content) ?? [];
  if (date === undefined || !isDate(date)) return undefined;
  const name = rest.replace(/^[\s,;]+/, '');
  return { date, name: name.slice(0, NAME_LENGTH_MAX) };
}

function isDate(text: string): boolean {
  try {
    Temporal.PlainDate.from(text, { overflow: 'reject' });
    return true;
  } catch {
    return false;
  }
}

const invalid = (file: string, problem: string): BursarError =>
  new BursarError('HOLIDAYS_INVALID', { file, problem });
