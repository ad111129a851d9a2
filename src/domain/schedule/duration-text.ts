const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** A time in words, rounded down to seconds: its two largest units, as in `1 hour 5 minutes`. */
export function durationText(durationMs: number): string {
  const parts: string[] = [];
  let restMs = Math.max(0, durationMs);
  for (const [unit, unitMs] of UNITS) {
    const count = Math.floor(restMs / unitMs);
    restMs -= count * unitMs;
    if (count > 0) parts.push(`${count} ${unit}${count === 1 ? '' : 's'}`);
  }
  return parts.length === 0 ? '0 seconds' : parts.slice(0, 2).join(' ');
}
