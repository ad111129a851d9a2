import { Temporal } from 'temporal-polyfill';

/** The day of an instant in a time zone: from its begin to that of the next one, ISO 8601 in UTC. */
export function localDay(nowMs: number, timeZone: string): Readonly<{ from: string; to: string }> {
  const start = Temporal.Instant.fromEpochMilliseconds(nowMs)
    .toZonedDateTimeISO(timeZone)
    .startOfDay();
  const next = start.add({ days: 1 }).startOfDay();
  return { from: start.toInstant().toString(), to: next.toInstant().toString() };
}
