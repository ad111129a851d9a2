import { z } from 'zod';
import { RUN_STATES } from '../../domain/schedule/run-state.ts';
import { SHIFTS } from '../../domain/schedule/timing.ts';
import type { PlannedSchedule } from '../../operations/schedule/create.ts';
import type { ListedSchedule } from '../../operations/schedule/list.ts';
import type { SchedulePreview } from '../../operations/schedule/preview.ts';
import type { ScheduleView } from '../../operations/schedule/standing.ts';
import type { RunView } from '../../operations/schedule/views.ts';
import { submissionQuestion } from './approval.ts';
import { instant } from './values.ts';

/** `run`: the local time of the rule, `2026-11-30T09:00`, which names a run. */
export const listedSchedule: z.ZodType<ListedSchedule> = z.object({
  scheduleId: z.string(),
  state: z.enum(['AT_WORK', 'PAUSED']),
  rule: z.string(),
  timezone: z.string(),
  nextDueAt: instant.nullable(),
  lastRun: z
    .object({ run: z.string(), state: z.enum(RUN_STATES), batchId: z.string().nullable() })
    .nullable(),
});

export const runOfSchedule: z.ZodType<RunView> = z.object({
  run: z.string(),
  dueAt: instant,
  local: z.string(),
  beginsAt: instant,
  latestBegin: instant,
  approveUntil: instant.nullable(),
  batchId: z.string(),
  file: z.string().nullable(),
  marks: z.array(
    z.object({
      code: z.enum(['WEEKEND', 'HOLIDAY', 'DST_GAP', 'DST_OVERLAP', 'SAME_TIME']),
      text: z.string(),
    }),
  ),
  state: z.enum(RUN_STATES).nullable(),
  detail: z.string().nullable(),
});

/** Durations are milliseconds. */
const timing = {
  scheduleId: z.string(),
  rule: z.string(),
  cron: z.string(),
  timezone: z.string(),
  shift: z.enum(SHIFTS),
  weekend: z.array(z.string()),
  holidays: z
    .object({
      file: z.string(),
      sha256: z.string(),
      days: z.int(),
      last: z.string().nullable(),
    })
    .nullable(),
  leadMs: z.int(),
  catchUpMs: z.int(),
};

const choices = {
  file: z.string(),
  allowUnchanged: z.boolean(),
  currency: z.string().nullable(),
  skipInvalid: z.boolean(),
  expectCount: z.int().nullable(),
  expectTotals: z.array(z.string()),
  accept: z.array(z.string()),
  fundsWaitMs: z.int().nullable(),
  canaryRows: z.int(),
  stopLoss: z.array(z.string()),
};

/** The choices of a preview, which may have none. */
const paying = {
  file: choices.file.exactOptional(),
  allowUnchanged: choices.allowUnchanged.exactOptional(),
  currency: choices.currency.exactOptional(),
  skipInvalid: choices.skipInvalid.exactOptional(),
  expectCount: choices.expectCount.exactOptional(),
  expectTotals: choices.expectTotals.exactOptional(),
  accept: choices.accept.exactOptional(),
  fundsWaitMs: choices.fundsWaitMs.exactOptional(),
  canaryRows: choices.canaryRows.exactOptional(),
  stopLoss: choices.stopLoss.exactOptional(),
  folder: z.string().exactOptional(),
  approval: z.array(z.string()).exactOptional(),
};

/** A schedule with its runs: `bursar.schedule/v1`. */
export const scheduleView: z.ZodType<ScheduleView> = z.object({
  schema: z.literal('bursar.schedule/v1'),
  ...timing,
  ...choices,
  state: z.enum(['AT_WORK', 'PAUSED', 'DELETED']),
  pausedAt: instant.nullable(),
  note: z.string().nullable(),
  temporal: z.enum(['at work', 'paused', 'unknown']).nullable(),
  createdBy: z.string(),
  createdAt: instant,
  deletedBy: z.string().nullable(),
  deletedAt: instant.nullable(),
  lastRuns: z.array(runOfSchedule),
  nextRuns: z.array(runOfSchedule),
});

/** A schedule and its next runs. One that has only times lacks the fields of its choices. */
export const schedulePreview: z.ZodType<SchedulePreview> = z.object({
  schema: z.literal('bursar.schedule-preview/v1'),
  ...timing,
  ...paying,
  runs: z.array(runOfSchedule),
});

/** A schedule before it is created. */
export const plannedSchedule: z.ZodType<PlannedSchedule> = z.object({
  schema: z.literal('bursar.schedule-plan/v1'),
  preview: schedulePreview,
  isFolderHere: z.boolean(),
  reach: z.enum(['none', 'some', 'all']),
  submission: submissionQuestion,
});
