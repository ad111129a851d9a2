import { useReader } from '../shell/reader.tsx';
import { dateText, distanceText, timeText } from '../words/times.ts';
import { None } from './text.tsx';

/** A time in the zone of the reader, with the zone. */
export function Time({ value }: { value: string | null }) {
  const { place } = useReader();
  if (value === null) return <None />;
  return <time dateTime={value}>{timeText(value, place)}</time>;
}

/** The day of a time, in the zone of the reader. */
export function Day({ value }: { value: string }) {
  const { place } = useReader();
  return <time dateTime={value}>{dateText(value, place)}</time>;
}

/** A deadline: the time, and how far away it is. */
export function Deadline({ value }: { value: string }) {
  const { place } = useReader();
  return (
    <span class="deadline">
      <Time value={value} /> <span class="fine">({distanceText(value, Date.now(), place)})</span>
    </span>
  );
}
