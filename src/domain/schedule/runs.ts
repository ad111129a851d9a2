import { Temporal } from 'temporal-polyfill';
import { earliestMovedTo, latestMovedTo, type Shifted, shiftDate } from './business-days.ts';
import { wallTimesAfter } from './cron.ts';
import type { Mark, Run, Timing } from './timing.ts';
import { localOf, type Resolved, resolveLocal, weekdayOf } from './zone.ts';

/** A nominal time, as runs are named by. */
const NOMINAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/** Runs that begin after `afterMs` and, when it is given, not after `untilMs`. */
export type Window = Readonly<{ afterMs: number; untilMs?: number }>;

/** The first `max` runs of a window, in the order in which they are due. */
export function runsIn(timing: Timing, { afterMs, untilMs }: Window, max: number): Run[] {
  const found: Run[] = [];
  let last = untilMs === undefined ? undefined : lastDate(timing, untilMs + timing.leadMs);
  for (const wall of nominalsFrom(timing, afterMs)) {
    if (last !== undefined && isAfter(wall, last)) break;
    const run = runOf(timing, wall);
    if (run.startAtMs <= afterMs || run.startAtMs > (untilMs ?? Number.POSITIVE_INFINITY)) continue;
    found.push(run);
    // What follows can still be moved before these, but not from behind the next business day.
    if (found.length === max) last = lastDate(timing, Math.max(...found.map(dueAtMsOf)));
  }
  return inOrder(found).slice(0, max);
}

const dueAtMsOf = ({ dueAtMs }: Run): number => dueAtMs;

/** The next runs that begin after an instant. */
export const nextRuns = (timing: Timing, afterMs: number, count: number): Run[] =>
  runsIn(timing, { afterMs }, count);

/** Runs that begin at one instant; several share one when they are moved onto the same day. */
const TOGETHER_MAX = 100;

export const runsStartingAt = (timing: Timing, startAtMs: number): Run[] =>
  runsIn(timing, { afterMs: startAtMs - 1, untilMs: startAtMs }, TOGETHER_MAX);

/** The run of a nominal time; undefined when the rule has no run at this time. */
export function findRun(timing: Timing, nominal: string): Run | undefined {
  if (!NOMINAL.test(nominal)) return undefined;
  const wall = plainDateTime(nominal);
  if (wall === undefined) return undefined;
  const [next] = wallTimesAfter(timing.cron, wall.subtract({ minutes: 1 }));
  if (next === undefined || !next.equals(wall)) return undefined;
  const run = runOf(timing, wall);
  return runsStartingAt(timing, run.startAtMs).find((one) => one.nominal === nominal) ?? run;
}

function plainDateTime(text: string): Temporal.PlainDateTime | undefined {
  try {
    return Temporal.PlainDateTime.from(text, { overflow: 'reject' });
  } catch {
    return undefined;
  }
}

/** The nominal times of all runs that can begin after an instant, and some that begin earlier. */
function nominalsFrom(timing: Timing, afterMs: number): Generator<Temporal.PlainDateTime> {
  const date = localOf(afterMs + timing.leadMs, timing.timezone).toPlainDate();
  const first = earliestMovedTo(date, timing).subtract({ days: GAP_DAYS_MAX });
  return wallTimesAfter(timing.cron, first.toPlainDateTime().subtract({ minutes: 1 }));
}

/** No place has ever jumped over more than a day. */
const GAP_DAYS_MAX = 1;

const lastDate = (timing: Timing, dueAtMs: number): Temporal.PlainDate =>
  latestMovedTo(localOf(dueAtMs, timing.timezone).toPlainDate(), timing);

const isAfter = (wall: Temporal.PlainDateTime, date: Temporal.PlainDate): boolean =>
  Temporal.PlainDate.compare(wall.toPlainDate(), date) > 0;

/**
 * First the date is moved, then the time of that day is resolved: a run that moves off a Sunday does not meet its gap.
 */
function runOf(timing: Timing, wall: Temporal.PlainDateTime): Run {
  const shifted = shiftDate(wall.toPlainDate(), timing);
  const moved = shifted.date.toPlainDateTime(wall.toPlainTime());
  const resolved = resolveLocal(moved, timing.timezone);
  const dueAtMs = resolved.instantMs;
  return {
    nominal: wall.toString({ smallestUnit: 'minute' }),
    dueAtMs,
    startAtMs: dueAtMs - timing.leadMs,
    latestStartMs: dueAtMs + timing.catchUpMs,
    marks: [...shiftMarks(wall, shifted), ...clockMarks(moved, resolved)],
  };
}

function shiftMarks(wall: Temporal.PlainDateTime, shifted: Shifted): Mark[] {
  const { date, isOverWeekend, holidays } = shifted;
  if (!isOverWeekend && holidays.length === 0) return [];
  const names = holidays.map(({ name }) => (name === '' ? 'holiday' : `holiday (${name})`));
  const reasons = [...(isOverWeekend ? ['weekend'] : []), ...new Set(names)].join(', ');
  const text = `${reasons}: moved from ${dayText(wall)} to ${dayText(date)}`;
  return [{ code: holidays.length > 0 ? 'HOLIDAY' : 'WEEKEND', text }];
}

const dayText = (date: Temporal.PlainDate | Temporal.PlainDateTime): string =>
  `${weekdayOf(date.dayOfWeek)} ${date.toString().slice(0, 'yyyy-mm-dd'.length)}`;

function clockMarks(wall: Temporal.PlainDateTime, { local, isInGap, isTwice }: Resolved): Mark[] {
  const date = wall.toPlainDate();
  if (isTwice) {
    const text = `DST overlap: ${timeText(wall)} happens twice on ${date.toString()}, the first is meant`;
    return [{ code: 'DST_OVERLAP', text }];
  }
  if (!isInGap) return [];
  const other = local.toPlainDate().equals(date) ? '' : `${local.toPlainDate().toString()} `;
  const text = `DST gap: ${timeText(wall)} does not exist on ${date.toString()}, ${other}${timeText(local)} is meant`;
  return [{ code: 'DST_GAP', text }];
}

const timeText = (wall: Temporal.PlainDateTime): string =>
  wall.toPlainTime().toString({ smallestUnit: 'minute' });

/** Sorts runs by when they are due, and marks those that are due together. */
function inOrder(runs: readonly Run[]): Run[] {
  return [...runs]
    .sort((a, b) => a.dueAtMs - b.dueAtMs || (a.nominal < b.nominal ? -1 : 1))
    .map((run) => {
      const others = runs.filter((other) => other !== run && other.dueAtMs === run.dueAtMs);
      if (others.length === 0) return run;
      const names = others.map(({ nominal }) => nominal).join(', ');
      const text = `at the same time as the run for ${names}: each takes a file of its own`;
      return { ...run, marks: [...run.marks, { code: 'SAME_TIME', text }] };
    });
}
