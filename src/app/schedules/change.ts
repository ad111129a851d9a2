import { z } from 'zod';
import * as changing from '../../operations/schedule/change.ts';
import { scheduleId } from '../inputs.ts';
import { operation } from '../operation.ts';
import { scheduleView } from '../results/schedule.ts';

export const pauseSchedule = operation({
  name: 'pauseSchedule',
  summary: 'Begin no more runs of a schedule; runs that have begun continue',
  role: 'operate',
  http: 'POST /v1/schedules/:scheduleId/pause',
  input: z.strictObject({
    scheduleId,
    note: z.string().trim().min(1).max(changing.NOTE_LENGTH_MAX).meta({ description: 'why' }),
  }),
  result: scheduleView,
  run: changing.pauseSchedule,
});

export const resumeSchedule = operation({
  name: 'resumeSchedule',
  summary: 'Begin runs of a schedule again; those of the time between stay skipped',
  role: 'operate',
  http: 'POST /v1/schedules/:scheduleId/resume',
  input: z.strictObject({ scheduleId }),
  result: scheduleView,
  run: changing.resumeSchedule,
});

const deleted: z.ZodType<changing.DeletedSchedule> = z.object({
  schema: z.literal('bursar.schedule-delete/v1'),
  scheduleId: z.string(),
});

export const deleteSchedule = operation({
  name: 'deleteSchedule',
  summary: 'Begin nothing of a schedule any more; its history stays',
  role: 'operate',
  http: 'DELETE /v1/schedules/:scheduleId',
  input: z.strictObject({ scheduleId }),
  result: deleted,
  run: changing.deleteSchedule,
});
