import { readDefinition, type ScheduleDefinition } from '../../contract/schedule.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { isoOf } from '../../domain/schedule/zone.ts';
import { checkScheduleId } from '../../domain/schedule/names.ts';
import type { ScheduleRecord } from '../../store/schedules/schedules.ts';
import type { Store } from '../../store/index.ts';

export type KnownSchedule = Readonly<{ record: ScheduleRecord; definition: ScheduleDefinition }>;

/** A schedule that was not deleted. Throws SCHEDULE_ID_INVALID, SCHEDULE_NOT_FOUND, SCHEDULE_DELETED. */
export async function findSchedule(store: Store, text: string): Promise<KnownSchedule> {
  const found = await findEverMade(store, text);
  const { scheduleId, deletedAtMs } = found.record;
  if (deletedAtMs === null) return found;
  throw new BursarError('SCHEDULE_DELETED', { scheduleId, deletedAt: isoOf(deletedAtMs) });
}

/** A schedule, deleted or not. Throws SCHEDULE_ID_INVALID, SCHEDULE_NOT_FOUND. */
export async function findEverMade({ schedules }: Store, text: string): Promise<KnownSchedule> {
  const scheduleId = checkScheduleId(text);
  const record = await schedules.find(scheduleId);
  if (record === undefined) throw new BursarError('SCHEDULE_NOT_FOUND', { scheduleId });
  return { record, definition: readDefinition(record) };
}
