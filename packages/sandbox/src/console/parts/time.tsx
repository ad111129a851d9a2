import { None } from './text.tsx';

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const TODAY = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const THIS_YEAR = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const OTHERWISE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A time in the zone of the reader. Its tooltip shows it in UTC. */
export function Time({ value }: { value: string | null }) {
  if (value === null) return <None />;
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return <bdi>{value}</bdi>;
  return (
    <time dateTime={value} title={`${date.toISOString()} (UTC)`}>
      {formatFor(date, new Date()).format(date)}
    </time>
  );
}

function formatFor(date: Date, now: Date): Intl.DateTimeFormat {
  if (DAY.format(date) === DAY.format(now)) return TODAY;
  return date.getFullYear() === now.getFullYear() ? THIS_YEAR : OTHERWISE;
}
