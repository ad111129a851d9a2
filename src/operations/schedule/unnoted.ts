import { type Missed, missedRuns, NOT_BEGUN } from '../../domain/schedule/missed.ts';
import type { RunRecord } from '../../domain/schedule/run-state.ts';
import type { KnownSchedule } from './find.ts';

/** Missed and skipped runs that no worker has written down yet: there may be none to do it. */
export function unnotedRuns(
  { definition, record }: KnownSchedule,
  { records, nowMs }: Readonly<{ records: readonly RunRecord[]; nowMs: number }>,
): Missed[] {
  const { createdAtMs, paused, watchedUntilMs, deletedAtMs } = record;
  const { missed } = missedRuns({
    timing: definition,
    createdAtMs,
    paused,
    records,
    blocking: records,
    fromMs: watchedUntilMs,
    toMs: deletedAtMs ?? nowMs,
    otherwise: NOT_BEGUN,
  });
  return missed;
}
