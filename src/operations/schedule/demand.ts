import type { ScheduleDefinition } from '../../contract/schedule.ts';
import type { Store } from '../../store/index.ts';
import type { Sources } from '../batch/types.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { mayStartByHand, type RunRecord } from '../../domain/schedule/run-state.ts';
import { findRun, nextRuns } from '../../domain/schedule/runs.ts';
import type { Run } from '../../domain/schedule/timing.ts';
import type { KnownSchedule } from './find.ts';

/** A run that a person may start, and its record in the store. */
export type Startable = Readonly<{ run: Run; record: RunRecord | undefined }>;

/**
 * The run that a person wants: of the past, or the next one that has not happened. Throws SCHEDULE_RUN_UNKNOWN,
 * SCHEDULE_RUN_AHEAD, SCHEDULE_RUN_TAKEN.
 */
export async function findStartable(
  { store }: Sources,
  { definition }: KnownSchedule,
  { nominal, nowMs }: Readonly<{ nominal: string; nowMs: number }>,
): Promise<Startable> {
  const { scheduleId } = definition;
  const run = findRun(definition, nominal);
  if (run === undefined)
    throw new BursarError('SCHEDULE_RUN_UNKNOWN', { scheduleId, time: nominal });
  const record = await store.scheduleRuns.find({ scheduleId, nominal });
  if (!mayStartByHand(record)) throw takenError({ scheduleId, nominal }, record);
  if (run.startAtMs > nowMs) {
    const next = await nextStartable(store, definition, nowMs);
    if (next !== undefined && next.startAtMs < run.startAtMs) {
      throw new BursarError('SCHEDULE_RUN_AHEAD', { scheduleId, nominal, next: next.nominal });
    }
  }
  return { run, record };
}

export const takenError = (
  run: Readonly<{ scheduleId: string; nominal: string }>,
  record: RunRecord | undefined,
): BursarError =>
  new BursarError('SCHEDULE_RUN_TAKEN', {
    ...run,
    state: record?.state ?? 'STARTED',
    batchId: record?.batchId ?? null,
  });

/** Runs ahead that may have been started by hand before. */
const AHEAD_LOOKED_AT = 20;

/** The next run of which no batch has begun; of those ahead, a person may have started some. */
export async function nextStartable(
  store: Store,
  definition: ScheduleDefinition,
  nowMs: number,
): Promise<Run | undefined> {
  const { scheduleId } = definition;
  for (const run of nextRuns(definition, nowMs, AHEAD_LOOKED_AT)) {
    const record = await store.scheduleRuns.find({ scheduleId, nominal: run.nominal });
    if (mayStartByHand(record)) return run;
  }
  return undefined;
}
