const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Reads a time in milliseconds: a number, or text such as `500ms`, `90s`, `5m`, `30h`, `2d`. Throws a TypeError. */
export function durationMs(duration: number | string): number {
  if (typeof duration === 'number') return duration;
  const [, count, unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(duration) ?? [];
  const unitMs = UNITS_MS[unit];
  if (unitMs !== undefined) return Number(count) * unitMs;
  throw new TypeError(`"${duration}" is not a duration such as 500ms, 90s, 5m, 30h or 2d.`);
}
