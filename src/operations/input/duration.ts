import { flagInvalid } from './flag-error.ts';

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** The longest duration of a flag: 90 days, as long as Temporal keeps closed workflows. */
export const DURATION_MS_MAX = 90 * 86_400_000;

/** Reads a duration such as 30s, 15m, 2h or 3d as milliseconds. Throws FLAG_INVALID. */
export function readDurationMs(flag: string, text: string): number {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const durationMs = Number(count) * (UNITS_MS[unit ?? ''] ?? Number.NaN);
  if (durationMs > 0 && durationMs <= DURATION_MS_MAX) return durationMs;
  throw flagInvalid(flag, `"${text}" is not a duration such as 30s, 15m, 2h or 3d (at most 90d)`);
}
