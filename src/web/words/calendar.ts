/** A day of a calendar. `key`: `2026-11-30` in the zone of the reader. */
export type CalendarDay<Entry> = Readonly<{
  key: string;
  date: Date;
  isToday: boolean;
  entries: readonly Entry[];
}>;

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

/** Weeks from Monday, beginning with that of `now`, with the entries of each day. */
export function weeksFrom<Entry>(
  now: Date,
  weeks: number,
  entries: readonly Readonly<{ at: string; entry: Entry }>[],
): readonly (readonly CalendarDay<Entry>[])[] {
  const today = keyOf(now);
  const noon = new Date(now.getFullYear(), now.getMonth(), now.getDate(), 12).getTime();
  const mondayMs = noon - ((now.getDay() + 6) % WEEK_DAYS) * DAY_MS;
  const days = Array.from({ length: weeks * WEEK_DAYS }, (_, at) => {
    const date = new Date(mondayMs + at * DAY_MS);
    const key = keyOf(date);
    const own = entries.filter((one) => keyOf(new Date(one.at)) === key);
    return { key, date, isToday: key === today, entries: own.map(({ entry }) => entry) };
  });
  return Array.from({ length: weeks }, (_, at) => days.slice(at * WEEK_DAYS, (at + 1) * WEEK_DAYS));
}

const two = (value: number): string => String(value).padStart(2, '0');

const keyOf = (date: Date): string =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
