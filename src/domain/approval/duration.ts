const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** A number of milliseconds in the largest unit that tells it exactly: "3 days", "36 hours", "1500 milliseconds". */
export function durationText(ms: number): string {
  const [name, unitMs] = UNITS.find((unit) => ms >= unit[1] && ms % unit[1] === 0) ?? [
    'millisecond',
    1,
  ];
  const count = ms / unitMs;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
