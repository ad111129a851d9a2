import { startOfDay } from '../../domain/schedule/zone.ts';
import { flagInvalid } from './flag-error.ts';

/** Reads a date such as 2026-11-30: the instant at which it begins in a zone. Throws FLAG_INVALID. */
export function readLocalDate(flag: string, text: string, timezone: string): number {
  const startMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? startOfDay(text, timezone) : undefined;
  if (startMs !== undefined) return startMs;
  throw flagInvalid(flag, `"${text}" is not a date such as 2026-11-30`);
}
