/** A language of the page and the zone of its reader. */
export type ReaderPlace = Readonly<{ language: string; timeZone: string | undefined }>;

/** A moment with its zone: `21 Nov 2026, 10:00 CET`. A text that is no moment stays as it is. */
export function timeText(value: string, { language, timeZone }: ReaderPlace): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return value;
  return new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(date);
}

/** The day of a moment: `21 Nov 2026`. */
export function dateText(value: string, { language, timeZone }: ReaderPlace): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return value;
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone }).format(date);
}

/** A day: `Mon 30 Nov`. */
export function dayText(value: Date, { language, timeZone }: ReaderPlace): string {
  const format = { weekday: 'short', day: 'numeric', month: 'short', timeZone } as const;
  return new Intl.DateTimeFormat(language, format).format(value);
}

const STEPS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How far away a moment is: `in 2 days`, `3 hours ago`. */
export function distanceText(value: string, nowMs: number, { language }: ReaderPlace): string {
  const seconds = Math.round((Date.parse(value) - nowMs) / 1_000);
  if (Number.isNaN(seconds)) return '';
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'always' });
  const [unit, size] = STEPS.find(([, one]) => Math.abs(seconds) >= one) ?? ['second', 1];
  return format.format(Math.round(seconds / size), unit);
}

/** A length of time in its largest whole unit: `3 days`, `36 hours`. */
export function durationWords(ms: number, { language }: ReaderPlace): string {
  const seconds = Math.round(ms / 1_000);
  const [unit, size] = STEPS.find(([, one]) => seconds >= one && seconds % one === 0) ?? [
    'second',
    1,
  ];
  const format = { style: 'unit', unit, unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(language, format).format(seconds / size);
}

/** A time that is left, in its two largest units: `1 h 5 min`, `40 s`. */
export function leftText(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}

/** The time of a day with its seconds: `10:00:05`. `atMs`: milliseconds since 1970. */
export const clockText = (atMs: number, { language, timeZone }: ReaderPlace): string =>
  new Intl.DateTimeFormat(language, { timeStyle: 'medium', timeZone }).format(atMs);

/** The time of a day: `10:00`. */
export const hourText = (value: string, { language, timeZone }: ReaderPlace): string =>
  new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', timeZone }).format(
    new Date(value),
  );
