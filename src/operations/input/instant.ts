import { BursarError } from '../../domain/errors/bursar-error.ts';
import { flagInvalid } from './flag-error.ts';

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** How far ahead a batch may be due, in milliseconds: 366 days. A later date is more often a mistyped year. */
const AHEAD_MS_MAX = 366 * 86_400_000;

/**
 * Reads an instant that lies ahead, and writes it in UTC, so that one instant has one text.
 * Throws TIME_UNREADABLE (also without a zone, and for days that no calendar has), AT_IN_PAST, FLAG_INVALID.
 */
export function readInstantAhead(flag: string, text: string, nowMs: number): string {
  const atMs = readInstantMs(flag, text);
  const at = new Date(atMs).toISOString();
  if (atMs <= nowMs) {
    throw new BursarError('AT_IN_PAST', { flag, at, now: new Date(nowMs).toISOString() });
  }
  if (atMs - nowMs > AHEAD_MS_MAX) throw flagInvalid(flag, `${at} is more than a year ahead`);
  return at;
}

/** Reads an instant, in milliseconds since 1970. Throws TIME_UNREADABLE, also without a zone. */
export function readInstantMs(flag: string, text: string): number {
  const [, day] = INSTANT.exec(text) ?? [];
  if (day === undefined || !isDay(day)) throw new BursarError('TIME_UNREADABLE', { flag, text });
  return Date.parse(text);
}

/** `Date` takes February 30th for March 2nd. */
const isDay = (day: string): boolean => {
  const startMs = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(startMs) && new Date(startMs).toISOString().startsWith(day);
};
