import { readDefinition, type ScheduleDefinition } from '../../contract/schedule.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { checkScheduleId } from '../../domain/schedule/names.ts';
import type { ScheduleRecord } from '../../store/schedules.ts';
import type { Store } from '../../store/store.ts';

export type Found = Readonly<{ record: ScheduleRecord; definition: ScheduleDefinition }>;

/** A schedule that was not deleted. Throws SCHEDULE_ID_INVALID, SCHEDULE_NOT_FOUND. */
export async function findSchedule(
  { schedules }: Pick<Store, 'schedules'>,
  text: string,
): Promise<Found> {
  const scheduleId = checkScheduleId(text);
  const record = await schedules.find(scheduleId);
  if (record === undefined || record.deletedAtMs !== null) {
    throw new BursarError('SCHEDULE_NOT_FOUND', { scheduleId });
  }
  return { record, definition: readDefinition(record) };
}
