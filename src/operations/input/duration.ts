import { flagInvalid } from './flag-error.ts';

const DAY_MS = 86_400_000;

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: DAY_MS,
};

/** The longest duration of most flags, in days: as long as Temporal keeps closed workflows. */
const DAYS_MAX = 90;
export const DURATION_MS_MAX = DAYS_MAX * DAY_MS;

/** Reads a duration such as 30s, 15m, 2h or 3d as milliseconds. Throws FLAG_INVALID. */
export function readDurationMs(flag: string, text: string, daysMax = DAYS_MAX): number {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const durationMs = Number(count) * (UNITS_MS[unit ?? ''] ?? Number.NaN);
  if (durationMs > 0 && durationMs <= daysMax * DAY_MS) return durationMs;
  throw flagInvalid(
    flag,
    `"${text}" is not a duration such as 30s, 15m, 2h or 3d (at most ${daysMax}d)`,
  );
}
