import { z } from 'zod';
import { RUN_STATES } from '../../domain/schedule/run-state.ts';
import * as backfilling from '../../operations/schedule/backfill.ts';
import * as triggering from '../../operations/schedule/trigger.ts';
import { list, reasonFor, scheduleId } from '../inputs.ts';
import { operation } from '../operation.ts';
import { approval, submissionQuestion } from '../results/approval.ts';
import { runOfSchedule } from '../results/schedule.ts';

const reason = reasonFor('it stands in the audit log');

const run = z.string().meta({
  description: 'the local time that names a run',
  examples: ['2026-11-30T09:00'],
});

const plannedTrigger: z.ZodType<triggering.PlannedTrigger> = z.object({
  schema: z.literal('bursar.schedule-trigger-plan/v1'),
  scheduleId: z.string(),
  leadMs: z.int(),
  run: runOfSchedule,
  before: z.object({ state: z.enum(RUN_STATES), detail: z.string() }).nullable(),
  pausedBecause: z.string().nullable(),
  submission: submissionQuestion,
});

export const planTrigger = operation({
  name: 'planTrigger',
  summary: 'One run of a schedule that a person may start; nothing is started',
  role: 'operate',
  http: 'POST /v1/schedules/:scheduleId/trigger-plan',
  input: z.strictObject({ scheduleId, run, reason }),
  result: plannedTrigger,
  run: triggering.planTrigger,
});

const triggered: z.ZodType<triggering.TriggeredRun> = z.object({
  schema: z.literal('bursar.schedule-trigger/v1'),
  scheduleId: z.string(),
  nominal: z.string(),
  by: z.string(),
  reason: z.string(),
  batchId: z.string(),
});

export const triggerSchedule = operation({
  name: 'triggerSchedule',
  summary: 'Start one run of a schedule now, at most once in its life',
  role: 'operate',
  http: 'POST /v1/schedules/:scheduleId/trigger',
  input: z.strictObject({ scheduleId, run, reason, submission: approval.exactOptional() }),
  result: triggered,
  run: triggering.triggerSchedule,
});

const range = { scheduleId, from: z.iso.date(), to: z.iso.date(), reason };

const plannedBackfill: z.ZodType<backfilling.PlannedBackfill> = z.object({
  schema: z.literal('bursar.schedule-backfill-plan/v1'),
  scheduleId: z.string(),
  leadMs: z.int(),
  runs: z.array(runOfSchedule),
  submissions: z.array(submissionQuestion),
});

export const planBackfill = operation({
  name: 'planBackfill',
  summary: 'The past runs of a schedule that did not happen; nothing is started',
  role: 'operate',
  http: 'POST /v1/schedules/:scheduleId/backfill-plan',
  input: z.strictObject(range),
  result: plannedBackfill,
  run: backfilling.planBackfill,
});

const backfilled: z.ZodType<backfilling.BackfilledRuns> = z.object({
  schema: z.literal('bursar.schedule-backfill/v1'),
  scheduleId: z.string(),
  reason: z.string(),
  runs: z.array(runOfSchedule),
  by: z.string(),
});

export const backfillSchedule = operation({
  name: 'backfillSchedule',
  summary: 'Start the past runs of a schedule that did not happen, each at most once',
  role: 'operate',
  http: 'POST /v1/schedules/:scheduleId/backfill',
  input: z.strictObject({
    ...range,
    runs: list(run).exactOptional(),
    submissions: list(approval).default([]),
  }),
  result: backfilled,
  run: backfilling.backfillSchedule,
});
