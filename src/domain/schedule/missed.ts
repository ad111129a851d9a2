import { runsIn } from './runs.ts';
import { pausedReason, type RunRecord } from './run-state.ts';
import type { Run, Timing } from './timing.ts';

/** Runs that one search finds; the next search continues behind them. */
export const MISSED_MAX = 200;

/** A run that should have begun and did not. */
export type Missed = Readonly<{ run: Run; state: 'MISSED' | 'SKIPPED'; reason: string }>;

/** The store has no further facts about it. */
export const NOT_BEGUN = 'nothing began it in time; was Temporal or every worker down?';

export type MissedFacts = Readonly<{
  timing: Timing;
  /** Runs that would have begun before it are no business of this schedule. */
  createdAtMs: number;
  paused: Readonly<{ sinceMs: number; note: string }> | null;
  /** Runs that are written down, as far back as the window reaches. */
  records: readonly RunRecord[];
  /** Those that Temporal waits for before it begins another. */
  blocking: readonly RunRecord[];
  /** Why a run did not begin that no other kept from it. */
  otherwise: string;
  /** Runs whose last moment to begin lies after `fromMs` and not after `toMs`. */
  fromMs: number;
  toMs: number;
}>;

/** The runs that did not begin although their last moment to begin is over, and the end of the searched time. */
export function missedRuns(facts: MissedFacts): Readonly<{ missed: Missed[]; untilMs: number }> {
  const { timing, createdAtMs, fromMs, toMs } = facts;
  const patienceMs = timing.leadMs + timing.catchUpMs;
  const afterMs = Math.max(createdAtMs, fromMs - patienceMs);
  const untilMs = toMs - patienceMs;
  const runs = untilMs <= afterMs ? [] : runsIn(timing, { afterMs, untilMs }, MISSED_MAX);
  const known = new Set(facts.records.map(({ nominal }) => nominal));
  const missed = runs
    .filter(({ nominal }) => !known.has(nominal))
    .map((run) => whyMissed(run, facts));
  const last = runs.length < MISSED_MAX ? undefined : runs.at(-1);
  // Others that fall on the very instant of the last one are found again.
  return { missed, untilMs: last === undefined ? toMs : last.latestStartMs - 1 };
}

function whyMissed(run: Run, facts: MissedFacts): Missed {
  const { paused, blocking, timing, otherwise } = facts;
  if (paused !== null && run.startAtMs >= paused.sinceMs) {
    return { run, state: 'SKIPPED', reason: pausedReason(paused.note) };
  }
  const before = blocking.find((record) => wasAtWork(record, run, timing));
  const reason =
    before === undefined ? otherwise : `the run for ${before.nominal} was still under way`;
  return { run, state: 'MISSED', reason };
}

/** Whether a run was under way when another one should have begun. */
function wasAtWork(record: RunRecord, run: Run, { leadMs }: Timing): boolean {
  if (record.nominal === run.nominal || record.dueAtMs - leadMs > run.startAtMs) return false;
  const isOpen = record.state === 'STARTED' || record.state === 'RUNNING';
  return isOpen || (record.state === 'ENDED' && record.changedAtMs > run.startAtMs);
}
