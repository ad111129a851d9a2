import { z } from 'zod';
import * as looking from '../../operations/schedule/list.ts';
import { scheduleId } from '../inputs.ts';
import { listOperation, operation } from '../operation.ts';
import { listedSchedule, scheduleView } from '../results/schedule.ts';

export const listSchedules = listOperation({
  name: 'listSchedules',
  summary: 'Every schedule, by id',
  role: 'read',
  http: 'GET /v1/schedules',
  input: z.strictObject({}),
  names: {
    schema: 'bursar.schedule-list/v1',
    array: 'schedules',
    lineSchema: 'bursar.schedule-line/v1',
  },
  about: z.object({}),
  item: listedSchedule,
  run: async (_input, context, use) =>
    use({ about: {}, items: await looking.listSchedules(context) }),
});

export const showSchedule = operation({
  name: 'showSchedule',
  summary: 'A schedule, its last runs and its next ones',
  role: 'read',
  http: 'GET /v1/schedules/:scheduleId',
  input: z.strictObject({ scheduleId }),
  result: scheduleView,
  run: looking.showSchedule,
});
