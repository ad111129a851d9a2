import { readLocalDate } from '../../../operations/input/local-date.ts';

/** Checks a date such as 2026-11-30. The schedule has the zone in which it begins. Throws FLAG_INVALID. */
export function readDate(flag: string, text: string): string {
  readLocalDate(flag, text, 'UTC');
  return text;
}
