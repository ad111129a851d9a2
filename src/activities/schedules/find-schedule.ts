import { readDefinition, type ScheduleDefinition } from '../../contract/schedule.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { findRun } from '../../domain/schedule/runs.ts';
import { isoOf } from '../../domain/schedule/zone.ts';
import type { Run } from '../../domain/schedule/timing.ts';
import type { ScheduleRecord } from '../../store/schedules/schedules.ts';
import type { ScheduleDeps } from './deps.ts';

export type FoundSchedule = Readonly<{ record: ScheduleRecord; definition: ScheduleDefinition }>;

/** A schedule that was not deleted. Throws SCHEDULE_NOT_FOUND, SCHEDULE_DELETED. */
export async function findSchedule(
  { store }: ScheduleDeps,
  scheduleId: string,
): Promise<FoundSchedule> {
  const record = await store.schedules.find(scheduleId);
  if (record === undefined) throw new BursarError('SCHEDULE_NOT_FOUND', { scheduleId });
  const { deletedAtMs } = record;
  if (deletedAtMs !== null) {
    throw new BursarError('SCHEDULE_DELETED', { scheduleId, deletedAt: isoOf(deletedAtMs) });
  }
  return { record, definition: readDefinition(record) };
}

/** A run by its nominal time. Throws SCHEDULE_RUN_UNKNOWN. */
export function runNamed(definition: ScheduleDefinition, nominal: string): Run {
  const run = findRun(definition, nominal);
  if (run !== undefined) return run;
  const { scheduleId } = definition;
  throw new BursarError('SCHEDULE_RUN_UNKNOWN', { scheduleId, time: nominal });
}
