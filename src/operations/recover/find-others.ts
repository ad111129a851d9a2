import type { Sources } from '../batch/types.ts';
import { readBatchOptions } from '../../contract/batch.ts';
import { readDefinition, type ScheduleDefinition } from '../../contract/schedule.ts';
import { REOPENED_MAX } from '../../domain/lineage/follow.ts';

const DAY_MS = 86_400_000;
/** The number of newest batches that are checked for ends which people can change. Older ones are followed no more. */
const BATCHES_MAX = 10_000;

/** A schedule that the store has, and Temporal has not: nothing of it begins by itself. */
export type LostSchedule = Readonly<{
  scheduleId: string;
  definition: ScheduleDefinition;
  /** Why it is paused; null: it is at work. */
  pausedNote: string | null;
}>;

/** Every schedule that Temporal no longer has. */
export async function findLostSchedules({ store, engine }: Sources): Promise<LostSchedule[]> {
  const lost: LostSchedule[] = [];
  for (const record of await store.schedules.list()) {
    const { scheduleId, paused } = record;
    if ((await (await engine()).schedules.describe(scheduleId)) !== undefined) continue;
    lost.push({ scheduleId, definition: readDefinition(record), pausedNote: paused?.note ?? null });
  }
  return lost;
}

/** A batch that is over, and whose ends people can still change in the service's own interface. */
export type OverBatch = Readonly<{ batchId: string; delayMs: number }>;

/** The batches that need rechecks after their reports. The start of a recheck workflow finds one that runs already. */
export async function findOverBatches(
  { store, settings }: Sources,
  nowMs: number,
): Promise<OverBatch[]> {
  const sinceMs = nowMs - settings.report.followDays * DAY_MS;
  const over: OverBatch[] = [];
  for (const { batchId, endedAtMs, optionsJson } of await store.batches.list(BATCHES_MAX)) {
    if (endedAtMs === null || endedAtMs <= sinceMs) continue;
    if ((await store.rechecks.openEnds(batchId, REOPENED_MAX)).length === 0) continue;
    over.push({ batchId, delayMs: readBatchOptions(optionsJson).pollMaxMs });
  }
  return over;
}
