import { existsSync } from 'node:fs';
import type { Settings } from '../../config.ts';
import { readDefinition, type ScheduleDefinition } from '../../contract/schedule.ts';
import { unsignedActor } from '../../domain/approval/people.ts';
import { reachOf } from '../../domain/approval/requirements.ts';
import type { Approval } from '../../domain/approval/statement.ts';
import { scheduleSubject, type SubmissionSubject } from '../../domain/approval/submission.ts';
import { canonicalJson } from '../../domain/audit/chain.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import type { SubmissionQuestion } from '../approval/submission-question.ts';
import { personOfSubmission, signSubmit } from '../approval/submitter.ts';
import { ownStore } from '../batch/own-store.ts';
import { withSources } from '../batch/sources.ts';
import type { Sources } from '../batch/types.ts';
import type { OperationContext } from '../context.ts';
import { type DefinitionWish, defineSchedule } from './define.ts';
import { findSchedule } from './find.ts';
import { PREVIEW_RUNS, previewOf, type SchedulePreview } from './preview.ts';
import { readSchedule, type ScheduleView } from './standing.ts';

export type ScheduleDraft = Readonly<{ scheduleId: string; definition: DefinitionWish }>;

/** `submission`: a signed statement of the person who creates it. */
export type CreateWish = ScheduleDraft & Readonly<{ submission?: Approval }>;

/** A schedule before it is created. */
export type PlannedSchedule = Readonly<{
  schema: 'bursar.schedule-plan/v1';
  preview: SchedulePreview;
  /** Whether this machine has the folder of scheduled files. The machine of the workers must have it. */
  isFolderHere: boolean;
  /** How many of its batches need approvals. */
  reach: ReturnType<typeof reachOf>;
  submission: SubmissionQuestion;
}>;

/** What a new schedule would do; nothing is created. @throws SCHEDULE_EXISTS for an id that has another definition */
export const planSchedule = (
  { scheduleId, definition: wish }: ScheduleDraft,
  context: OperationContext,
): Promise<PlannedSchedule> =>
  withSources(context, async (sources) => {
    const { settings } = sources;
    await ownStore(sources);
    const nowMs = context.clock.nowMs();
    const definition = defineSchedule(scheduleId, wish, { settings, nowMs });
    await isNewOrRefused(sources, definition);
    const policy = settings.rules.approval;
    const reach = reachOf(policy);
    return {
      schema: 'bursar.schedule-plan/v1',
      preview: previewOf(definition, { afterMs: nowMs, count: PREVIEW_RUNS, settings }),
      isFolderHere: existsSync(settings.schedule.folder),
      reach,
      submission: { ...subjectOf(definition), policy, isNeeded: reach === 'all' },
    };
  });

/** Creates a schedule. The same call again adds missing parts. @throws SCHEDULE_EXISTS, SUBMIT_UNSIGNED */
export const createSchedule = (
  { scheduleId, definition: wish, submission }: CreateWish,
  context: OperationContext,
): Promise<ScheduleView> =>
  withSources(context, async (sources) => {
    const { settings, store } = sources;
    const ref = await ownStore(sources);
    const nowMs = context.clock.nowMs();
    const definition = defineSchedule(scheduleId, wish, { settings, nowMs });
    const isNew = await isNewOrRefused(sources, definition);
    const signed = isNew ? signedBy(definition, submission, { settings, context }) : null;
    const engine = await sources.engine();
    if (signed !== null) await writeDown(sources, definition, { ...signed, nowMs });
    // The store first: a run that Temporal begins must find its schedule.
    const found = await findSchedule(store, scheduleId);
    const { paused } = found.record;
    const state = { paused: paused !== null, note: paused?.note ?? '' };
    await engine.schedules.put(definition, { nowMs, ...state, store: ref });
    return readSchedule(sources, found, context);
  });

const subjectOf = (definition: ScheduleDefinition): SubmissionSubject =>
  scheduleSubject({
    scheduleId: definition.scheduleId,
    definitionJson: JSON.stringify(definition),
  });

/** Whether the schedule is new. Throws SCHEDULE_EXISTS for another definition. */
async function isNewOrRefused(
  { store }: Sources,
  definition: ScheduleDefinition,
): Promise<boolean> {
  const { scheduleId } = definition;
  const known = await store.schedules.find(scheduleId);
  if (known === undefined || known.deletedAtMs !== null) return true;
  if (canonicalJson(readDefinition(known)) === canonicalJson(definition)) return false;
  throw new BursarError('SCHEDULE_EXISTS', { scheduleId });
}

type Creation = Readonly<{ by: string; statement: Approval | null }>;

/** A run whose totals reach a tier of the policy is refused later, if its schedule is not signed. */
function signedBy(
  definition: ScheduleDefinition,
  given: Approval | undefined,
  place: Readonly<{ settings: Settings; context: OperationContext }>,
): Creation {
  const policy = place.settings.rules.approval;
  const person = personOfSubmission(given, place);
  const isNeeded = reachOf(policy) === 'all';
  const { submission = null } = signSubmit(person, subjectOf(definition), { policy, isNeeded });
  return { by: person.name, statement: submission };
}

async function writeDown(
  { settings, store }: Sources,
  definition: ScheduleDefinition,
  { by, statement, nowMs }: Creation & Readonly<{ nowMs: number }>,
): Promise<void> {
  const { scheduleId, rule, timezone, file } = definition;
  const detail = { scheduleId, rule, timezone, file: file.pattern };
  const actor = statement === null ? unsignedActor(settings.rules.approval, by) : by;
  await store.schedules.create(
    {
      scheduleId,
      statement,
      createdBy: by,
      createdAtMs: nowMs,
      definitionJson: JSON.stringify(definition),
    },
    { atMs: nowMs, batchId: null, actor, action: 'schedule-create', detail },
  );
}
