import { counted } from '../../domain/text/counted.ts';
import type { Clock, ShownZone } from '../context.ts';

/** An instant as people read it: in their zone, with its name, and in UTC. Takes ISO 8601 or milliseconds since 1970. */
export function instantText(instant: string | number, { timeZone }: ShownZone): string {
  const date = new Date(instant);
  const utc = `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  if (timeZone === 'UTC') return utc;
  return `${localText(date, timeZone)} ${timeZone} (${utc})`;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How far an instant is from now, rounded down: `in 2 days`, `3 hours ago`, `now` within a minute. */
export function fromNowText(instant: string, { nowMs }: Clock): string {
  const aheadMs = Date.parse(instant) - nowMs();
  const found = UNITS.find(([, unitMs]) => Math.abs(aheadMs) >= unitMs);
  if (found === undefined) return 'now';
  const [unit, unitMs] = found;
  const text = counted(Math.floor(Math.abs(aheadMs) / unitMs), unit);
  return aheadMs > 0 ? `in ${text}` : `${text} ago`;
}

/** A deadline as people read it: `2026-12-01 10:00:00 UTC, in 2 days`. */
export const deadlineText = (instant: string, clock: Clock): string =>
  `${instantText(instant, clock)}, ${fromNowText(instant, clock)}`;

/** A time of a day to come, as people speak of it: `Friday 2026-11-27 09:00 Europe/Berlin`. Takes ISO 8601. */
export function dayText(instant: string, { timeZone }: ShownZone): string {
  const date = new Date(instant);
  const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone }).format(date);
  return `${weekday} ${localText(date, timeZone).slice(0, 'yyyy-mm-dd hh:mm'.length)} ${timeZone}`;
}

/** Swedish dates are written as ISO 8601 has it. */
const localText = (date: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone }).format(
    date,
  );

/** Instants in a sentence of the engine, which are in UTC, as people read them. A quoted text stays as it was typed. */
export const withReadableInstants = (text: string, clock: ShownZone): string =>
  text.replace(/(?<!")\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, (instant) => instantText(instant, clock));
