import type { FundsDemand } from '../../domain/funds/forecast.ts';
import type { Store } from '../../store/index.ts';

/** A span of time in milliseconds since 1970. */
type DueSpan = Readonly<{ afterMs: number; untilMs: number }>;

/** A span of time, and how many instants of it are wanted at most. */
export type DueWindow = DueSpan & Readonly<{ max: number }>;

/** When runs of a schedule are due that have not begun, from its definition as the store keeps it. */
export type DueTimes = (definitionJson: string, window: DueWindow) => readonly number[];

/** Runs of one schedule that the forecast reads. */
const RUNS_MAX = 100;

/** What schedules will want in a span of time, each run as much as the last one did. */
export async function upcomingRuns(
  { scheduleTotals }: Store,
  dueTimes: DueTimes,
  window: DueSpan,
): Promise<FundsDemand[]> {
  const schedules = await scheduleTotals.running();
  return schedules.flatMap(({ scheduleId, definitionJson, last }) =>
    dueTimes(definitionJson, { ...window, max: RUNS_MAX }).map((dueAtMs) => ({
      name: scheduleId,
      dueAtMs,
      needs: last,
      estimated: true,
    })),
  );
}
