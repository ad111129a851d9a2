import type { Clock } from '../context.ts';

/** An instant as people read it: in their zone, with its name, and in UTC. Takes ISO 8601 or milliseconds since 1970. */
export function instantText(
  instant: string | number,
  { timeZone }: Pick<Clock, 'timeZone'>,
): string {
  const date = new Date(instant);
  const utc = `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  if (timeZone === 'UTC') return utc;
  return `${localText(date, timeZone)} ${timeZone} (${utc})`;
}

/** Swedish dates are written as ISO 8601 has it. */
const localText = (date: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone }).format(
    date,
  );
