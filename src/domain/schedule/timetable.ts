import { nextRuns, runsIn } from './runs.ts';
import type { Run, Timing } from './timing.ts';

/**
 * Runs that are listed in Temporal ahead of time. Each run makes the list longer again, and so does housekeeping: it ends
 * only when no worker was there for so many runs.
 */
export const LISTED_RUNS = 60;

/**
 * How far back the list reaches, in milliseconds, beyond the time in which a run may still begin: a server that was
 * down must find the runs for which it is late.
 */
const LISTED_BACK_MS = 3_600_000;

/** A day of catch-up, which is the longest, with a run every five minutes, which is the most, has fewer. */
const LATE_RUNS_MAX = 500;

/** The instants at which Temporal is to start a run, in order; runs that begin together share one. */
export type TimetableEntry = Readonly<{ startAtMs: number; nominals: readonly string[] }>;

/** The present list: runs that may still begin late, and the runs ahead. */
export function timetableOf(timing: Timing, nowMs: number): TimetableEntry[] {
  const backMs = LISTED_BACK_MS + timing.leadMs + timing.catchUpMs;
  const runs = [
    ...runsIn(timing, { afterMs: nowMs - backMs, untilMs: nowMs }, LATE_RUNS_MAX),
    ...nextRuns(timing, nowMs, LISTED_RUNS),
  ];
  return entriesOf(runs);
}

function entriesOf(runs: readonly Run[]): TimetableEntry[] {
  const nominals = new Map<number, string[]>();
  for (const { startAtMs, nominal } of runs) {
    nominals.set(startAtMs, [...(nominals.get(startAtMs) ?? []), nominal]);
  }
  return [...nominals].map(([startAtMs, names]) => ({ startAtMs, nominals: names }));
}

/**
 * Whether Temporal's list must be written again. Either half of the runs ahead are missing, or it has a run that no
 * longer exists, as when a zone changed its clocks.
 */
export function isStale(
  listed: readonly number[],
  wanted: readonly TimetableEntry[],
  nowMs: number,
): boolean {
  const ahead = wanted.filter(({ startAtMs }) => startAtMs > nowMs).map((one) => one.startAtMs);
  const soon = ahead.slice(0, Math.ceil(ahead.length / 2));
  const [last = nowMs] = ahead.slice(-1);
  const isWrong = (startAtMs: number): boolean =>
    startAtMs > nowMs && startAtMs <= last && !ahead.includes(startAtMs);
  return soon.some((startAtMs) => !listed.includes(startAtMs)) || listed.some(isWrong);
}
