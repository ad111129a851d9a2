import { BATCH_ID_LENGTH_MAX } from '../batch/batch-id.ts';
import { BursarError } from '../errors/bursar-error.ts';
import type { ScheduleRule } from './timing.ts';

/** Of a batch id, a run takes `-2026-11-30-0900`. */
export const SCHEDULE_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,47}$/;

/** Checks the id of a schedule. Throws SCHEDULE_ID_INVALID. */
export function checkScheduleId(scheduleId: string): string {
  if (SCHEDULE_ID.test(scheduleId)) return scheduleId;
  throw new BursarError('SCHEDULE_ID_INVALID', { scheduleId });
}

/** Whether the rule has several times on one day, so that a date alone does not name a run. */
export const runsSeveralTimesADay = ({ cron }: ScheduleRule): boolean => {
  const [minutes = '', hours = ''] = cron.split(' ');
  return !/^\d+$/.test(minutes) || !/^\d+$/.test(hours);
};

/**
 * The id of a run's batch: made of the run's nominal time, so that a run can have only one. After batches of it that
 * were `rejected` it is the next one, `rent-2026-11-30-2`.
 */
export function batchIdOf(timing: ScheduleRule, nominal: string, rejected = 0): string {
  const [date = '', time = ''] = nominal.split('T');
  const suffix = runsSeveralTimesADay(timing) ? `-${time.replace(':', '')}` : '';
  const first = `${timing.scheduleId}-${date}${suffix}`;
  if (rejected === 0) return first;
  const next = `${first}-${rejected + 1}`;
  if (next.length <= BATCH_ID_LENGTH_MAX) return next;
  return `${timing.scheduleId}-${nominal.replaceAll(/[-:T]/g, '')}-${rejected + 1}`;
}
