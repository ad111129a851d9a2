import { BursarError } from '../errors/bursar-error.ts';
import { shiftDate } from './business-days.ts';
import { nextRuns } from './runs.ts';
import type { Run, Timing } from './timing.ts';
import { localOf } from './zone.ts';
import { Temporal } from 'temporal-polyfill';

/** Runs that are checked before a schedule is accepted. */
const RUNS_CHECKED = 400;

/**
 * The shortest time between two runs, in milliseconds. `* 9 * * *` is sixty runs, where a person meant nine o'clock.
 */
const BETWEEN_RUNS_MS_MIN = 300_000;

/** How far ahead the first run may be, in milliseconds: ten years, since 1900 and 2100 have no leap day. */
const FIRST_RUN_MS_MAX = 10 * 366 * 86_400_000;

/**
 * Checks the runs ahead for mistakes. Throws SCHEDULE_NEVER_RUNS, SCHEDULE_TOO_OFTEN, LEAD_TOO_LONG, HOLIDAYS_INVALID.
 */
export function checkTiming(timing: Timing, nowMs: number): void {
  checkHolidays(timing, nowMs);
  const runs = nextRuns(timing, nowMs, RUNS_CHECKED);
  const [first] = runs;
  if (first === undefined || first.startAtMs - nowMs > FIRST_RUN_MS_MAX) {
    throw new BursarError('SCHEDULE_NEVER_RUNS', { rule: timing.rule });
  }
  checkDistances(timing, runs);
}

/** Every holiday must have a business day to go to, and at least one must lie ahead. */
function checkHolidays(timing: Timing, nowMs: number): void {
  const { holidays, timezone } = timing;
  if (holidays === null) return;
  for (const { date } of holidays.days) shiftDate(Temporal.PlainDate.from(date), timing);
  const today = localOf(nowMs, timezone).toPlainDate().toString();
  const last = holidays.days.at(-1)?.date ?? '';
  if (last >= today) return;
  const problem = `its last date, ${last}, lies in the past`;
  throw new BursarError('HOLIDAYS_INVALID', { file: holidays.file, problem });
}

/** Runs that fall together are meant to; all others need time between them, and end before the next begins. */
function checkDistances(timing: Timing, runs: readonly Run[]): void {
  const { rule, leadMs } = timing;
  runs.slice(1).forEach((run, i) => {
    const before = runs[i];
    if (before === undefined || before.dueAtMs === run.dueAtMs) return;
    const [first, second] = [before.nominal, run.nominal];
    const betweenMs = run.startAtMs - before.startAtMs;
    if (betweenMs < BETWEEN_RUNS_MS_MIN) {
      throw new BursarError('SCHEDULE_TOO_OFTEN', { rule, first, second });
    }
    if (leadMs >= betweenMs) throw new BursarError('LEAD_TOO_LONG', { first, second });
  });
}
