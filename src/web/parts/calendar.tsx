import type { ComponentChildren } from 'preact';
import { useReader } from '../shell/reader.tsx';
import { weeksFrom } from '../words/calendar.ts';
import { dayText, hourText } from '../words/times.ts';

const WEEKS = 5;

type CalendarProps<Entry> = Readonly<{
  label: string;
  entries: readonly Readonly<{ at: string; entry: Entry }>[];
  show(entry: Entry): ComponentChildren;
}>;

/** The next weeks, a day in each cell. On a narrow screen only days with entries are shown. */
export function Calendar<Entry>({ label, entries, show }: CalendarProps<Entry>) {
  const { place, texts: t } = useReader();
  const weeks = weeksFrom(
    new Date(),
    WEEKS,
    entries.map((one) => ({ at: one.at, entry: one })),
  );
  return (
    <div class="table-frame">
      <table class="calendar" aria-label={label}>
        <thead>
          <tr>
            {(weeks[0] ?? []).map(({ key, date }) => (
              <th key={key} scope="col">
                {new Intl.DateTimeFormat(place.language, { weekday: 'short' }).format(date)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((days) => (
            <tr key={days[0]?.key}>
              {days.map(({ key, date, isToday, entries: own }) => (
                <td key={key} class={own.length === 0 ? 'no-entry' : undefined}>
                  <div class={isToday ? 'day today' : 'day'}>
                    {dayText(date, place)}
                    {isToday ? <span class="unseen"> {t.schedules.today}</span> : null}
                  </div>
                  {own.map(({ at, entry }) => (
                    <p key={at} class="entry">
                      <time dateTime={at}>{hourText(at, place)}</time> {show(entry)}
                    </p>
                  ))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
