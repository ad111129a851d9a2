import { z } from 'zod';
import { SHIFTS } from '../../domain/schedule/timing.ts';
import { DURATION_MS_MAX } from '../../operations/input/duration.ts';
import * as creating from '../../operations/schedule/create.ts';
import * as previewing from '../../operations/schedule/preview.ts';
import { runChoices } from '../choices.ts';
import { list, scheduleId } from '../inputs.ts';
import { operation } from '../operation.ts';
import { approval } from '../results/approval.ts';
import { plannedSchedule, schedulePreview, scheduleView } from '../results/schedule.ts';

const durationMs = z.int().min(0).max(DURATION_MS_MAX);

const timing = {
  cron: z
    .string()
    .exactOptional()
    .meta({ examples: ['0 9 * * *'] }),
  calendar: z
    .string()
    .exactOptional()
    .meta({ examples: ['monthly last 09:00'] }),
  timezone: z.string().meta({ examples: ['Europe/Berlin'] }),
  shift: z.enum(SHIFTS).default('none'),
  weekend: list(z.string())
    .exactOptional()
    .meta({ examples: [['sat', 'sun']] }),
  holidays: z.strictObject({ file: z.string().min(1), text: z.string() }).exactOptional(),
  leadMs: durationMs.default(0),
  catchUpMs: durationMs.exactOptional(),
};

const paying = { allowUnchanged: z.boolean().default(false), choices: runChoices.prefault({}) };

const file = z.string().meta({
  description: 'the name of its files in the folder of scheduled files',
  examples: ['pay-{date}.csv'],
});

/** A schedule that may be created. */
const definition = z.strictObject({ ...timing, file, ...paying });

export const previewSchedule = operation({
  name: 'previewSchedule',
  summary: 'The next runs of a schedule, or of one that this definition would make',
  role: 'read',
  http: 'POST /v1/schedule-previews',
  input: z.strictObject({
    scheduleId: scheduleId.exactOptional(),
    definition: z
      .strictObject({ ...timing, file: file.exactOptional(), ...paying })
      .exactOptional(),
    count: z.int().min(1).max(previewing.PREVIEW_RUNS_MAX).default(previewing.PREVIEW_RUNS),
    from: z.iso.date().exactOptional(),
  }),
  result: schedulePreview,
  run: previewing.previewSchedule,
});

export const planSchedule = operation({
  name: 'planSchedule',
  summary: 'The runs of a new schedule, and what its creator signs; nothing is created',
  role: 'read',
  http: 'POST /v1/schedule-plans',
  input: z.strictObject({ scheduleId, definition }),
  result: plannedSchedule,
  run: creating.planSchedule,
});

export const createSchedule = operation({
  name: 'createSchedule',
  summary: 'Pay a file again and again; the same call again adds what is missing',
  role: 'operate',
  http: 'POST /v1/schedules',
  input: z.strictObject({ scheduleId, definition, submission: approval.exactOptional() }),
  result: scheduleView,
  run: creating.createSchedule,
});
