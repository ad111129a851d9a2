import type { IncomingHttpHeaders } from 'node:http';

/** The one date form that HTTP lets a server write (RFC 9110, IMF-fixdate). */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const DELAY_SECONDS = /^\d{1,9}$/;

/** The `Date` header as Unix time in milliseconds, to the second. */
export function readServerDateMs(headers: IncomingHttpHeaders): number | undefined {
  return parseHttpDate(headers.date);
}

/**
 * The `Retry-After` header, seconds or a date, as milliseconds from `nowMs`; never negative, not
 * capped.
 */
export function readRetryAfterMs(headers: IncomingHttpHeaders, nowMs: number): number | undefined {
  const text = headers['retry-after'];
  if (typeof text !== 'string') return undefined;
  if (DELAY_SECONDS.test(text)) return Number.parseInt(text, 10) * 1_000;
  const dateMs = parseHttpDate(text);
  return dateMs === undefined ? undefined : Math.max(0, dateMs - nowMs);
}

function parseHttpDate(text: unknown): number | undefined {
  if (typeof text !== 'string' || !HTTP_DATE.test(text)) return undefined;
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) ? undefined : dateMs;
}
