import { Temporal } from 'temporal-polyfill';
import { BursarError } from '../errors/bursar-error.ts';

/** A wall-clock time in a zone: exactly one instant, and its note. */
export type Resolved = Readonly<{
  instantMs: number;
  /** The real local time of the instant; it differs from the requested one only in a gap. */
  local: Temporal.PlainDateTime;
  isInGap: boolean;
  isTwice: boolean;
}>;

/**
 * The instant of a wall-clock time. In a gap, where clocks jump over it, it is as much later as the gap is long; of two
 * it is the first. (Temporal calls this "compatible"; so does RFC 5545.)
 */
export function resolveLocal(wall: Temporal.PlainDateTime, timezone: string): Resolved {
  const zoned = wall.toZonedDateTime(timezone, { disambiguation: 'compatible' });
  const local = zoned.toPlainDateTime();
  const isInGap = !local.equals(wall);
  const later = wall.toZonedDateTime(timezone, { disambiguation: 'later' });
  const isTwice = !isInGap && later.epochMilliseconds !== zoned.epochMilliseconds;
  return { instantMs: zoned.epochMilliseconds, local, isInGap, isTwice };
}

/** The wall-clock time of a zone at an instant. */
export const localOf = (instantMs: number, timezone: string): Temporal.PlainDateTime =>
  zonedOf(instantMs, timezone).toPlainDateTime();

const zonedOf = (instantMs: number, timezone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(timezone);

export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

export const weekdayOf = (dayOfWeek: number): string => WEEKDAYS[dayOfWeek - 1] ?? '';

/** An instant as people of a zone read it: `Fri 2026-05-29 09:00 +02:00`. */
export function localText(instantMs: number, timezone: string): string {
  const zoned = zonedOf(instantMs, timezone);
  const time = zoned.toPlainTime().toString({ smallestUnit: 'minute' });
  return `${weekdayOf(zoned.dayOfWeek).slice(0, 3)} ${zoned.toPlainDate().toString()} ${time} ${zoned.offset}`;
}

/**
 * Checks the name of a time zone. Throws ZONE_UNKNOWN, also for short names: EST is five hours behind UTC all year,
 * which hardly any person means by it.
 */
export function checkZone(timezone: string): string {
  const isPlace = /^[A-Za-z_]+(\/[A-Za-z0-9_+-]+)+$/.test(timezone);
  if ((isPlace || timezone === 'UTC') && isKnown(timezone)) return timezone;
  throw new BursarError('ZONE_UNKNOWN', { timezone });
}

function isKnown(timezone: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timezone);
    return true;
  } catch {
    return false;
  }
}

/** The parts of an instant in UTC. */
export type UtcParts = Readonly<
  Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>
>;

export function utcPartsOf(instantMs: number): UtcParts {
  const { year, month, day, hour, minute, second } = zonedOf(instantMs, 'UTC');
  return { year, month, day, hour, minute, second };
}

export const instantOfUtc = (parts: UtcParts): number =>
  Temporal.PlainDateTime.from(parts).toZonedDateTime('UTC').epochMilliseconds;

/** An instant as ISO 8601 in UTC, as `Date` writes it. */
export const isoOf = (instantMs: number): string =>
  Temporal.Instant.fromEpochMilliseconds(instantMs).toString({ smallestUnit: 'millisecond' });

/** The instant at which a date begins in a zone; undefined for a date that no calendar has. */
export function startOfDay(date: string, timezone: string): number | undefined {
  try {
    const day = Temporal.PlainDate.from(date, { overflow: 'reject' });
    return day.toZonedDateTime(timezone).epochMilliseconds;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The day of an instant in a time zone: from its begin to that of the next one, ISO 8601 in UTC. */
export function localDay(nowMs: number, timeZone: string): Readonly<{ from: string; to: string }> {
  const start = Temporal.Instant.fromEpochMilliseconds(nowMs)
    .toZonedDateTimeISO(timeZone)
    .startOfDay();
  const next = start.add({ days: 1 }).startOfDay();
  return { from: start.toInstant().toString(), to: next.toInstant().toString() };
}
