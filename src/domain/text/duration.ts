import { counted, withCommas } from './counted.ts';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
  ['millisecond', 1],
] as const;

/** A duration as people read it, exactly: in the largest unit that gives a whole number, `3 days`, `36 hours`. */
export function durationText(durationMs: number): string {
  const [unit, unitMs] = UNITS.find(([, ms]) => durationMs % ms === 0) ?? ['millisecond', 1];
  return counted(durationMs / unitMs, unit);
}

/** A duration in words, rounded down to seconds: its two largest units, `1 hour 5 minutes`. */
export function roughDurationText(durationMs: number): string {
  const parts: string[] = [];
  let restMs = Math.max(0, durationMs);
  for (const [unit, unitMs] of UNITS.slice(0, -1)) {
    const count = Math.floor(restMs / unitMs);
    restMs -= count * unitMs;
    if (count > 0) parts.push(counted(count, unit));
  }
  return parts.length === 0 ? '0 seconds' : parts.slice(0, 2).join(' ');
}

const SHORT_UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** A duration in as few characters as possible, rounded up: `45 s`, `7 min`, `3 h`. */
export function shortDurationText(durationMs: number): string {
  const [unit, unitMs] = SHORT_UNITS.find(([, ms]) => durationMs >= ms) ?? ['s', 1_000];
  return `${withCommas(Math.max(1, Math.ceil(durationMs / unitMs)))} ${unit}`;
}
