const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, 'days'],
  [3_600_000, 'hours'],
  [60_000, 'minutes'],
  [1_000, 'seconds'],
  [1, 'milliseconds'],
];

/** A duration in milliseconds as people read it, exactly: in the largest unit that gives a whole number, `3 days`. */
export function durationText(durationMs: number): string {
  const [unitMs, name] = UNITS.find(([ms]) => durationMs % ms === 0) ?? [1, 'milliseconds'];
  const count = durationMs / unitMs;
  return `${count} ${count === 1 ? name.slice(0, -1) : name}`;
}
