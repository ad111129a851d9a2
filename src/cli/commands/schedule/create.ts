import type { Sources } from '../../../operations/batch/types.ts';
import { existsSync } from 'node:fs';
import { readDefinition, type ScheduleDefinition } from '../../../contract/schedule.ts';
import { canonicalJson } from '../../../domain/audit/chain.ts';
import type { Settings } from '../../../config.ts';
import { unsignedActor } from '../../../domain/approval/people.ts';
import { reachOf } from '../../../domain/approval/requirements.ts';
import type { Approval } from '../../../domain/approval/statement.ts';
import { scheduleSubject } from '../../../domain/approval/submission.ts';
import { BursarError } from '../../../domain/errors/bursar-error.ts';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { actingPerson, type KeyFlag, signSubmit } from '../../../operations/approval/submitter.ts';
import { ownStore } from '../../../operations/batch/own-store.ts';
import { withSources } from '../../../operations/batch/sources.ts';
import type { Context } from '../../context.ts';
import { printCreated } from '../../print/schedule-page.ts';
import { confirmWord } from '../../../operations/prompts/confirm.ts';
import { type DefinitionFlags, defineSchedule } from '../../../operations/schedule/define.ts';
import { findSchedule } from '../../../operations/schedule/find.ts';
import { PREVIEW_RUNS, previewOf, runSettings } from '../../print/schedule-preview.ts';
import { readSchedule } from '../../../operations/schedule/standing.ts';

type CreateFlags = DefinitionFlags & KeyFlag & Readonly<{ schedule: string; yes?: boolean }>;

/**
 * `bursar schedule create ID`: shows the next runs, has the person confirm, and creates it. The same command again adds
 * missing parts.
 */
export async function createSchedule(flags: CreateFlags, context: Context): Promise<number> {
  return withSources(context, async (sources) => {
    const { settings, store } = sources;
    const ref = await ownStore(sources);
    const definition = await defineSchedule(flags.schedule, flags, { settings, context });
    const { scheduleId } = definition;
    const isNew = await isNewOrRefused(sources, definition);
    const nowMs = context.clock.nowMs();
    const shown = { afterMs: nowMs, count: PREVIEW_RUNS, settings: runSettings(settings) };
    context.say(previewOf(definition, shown).text);
    const { folder } = settings.schedule;
    if (!existsSync(folder)) {
      context.say(`The folder ${folder} is not here; it must be where the workers are.`);
    }
    const question = QUESTIONS[reachOf(settings.rules.approval)];
    await confirmWord({ question, expected: scheduleId, ...flags }, context);
    const signed = await signSchedule(definition, flags, { settings, context });
    const engine = await sources.engine();
    if (isNew) await writeDown(sources, definition, { ...signed, nowMs });
    // The store first: a run that Temporal begins must find its schedule.
    const found = await findSchedule(store, scheduleId);
    const { paused } = found.record;
    const state = { paused: paused !== null, note: paused?.note ?? '' };
    await engine.schedules.put(definition, { nowMs, ...state, store: ref });
    printCreated(await readSchedule(sources, found, context), context);
    return EXIT.done;
  });
}

/** The facts for the person who confirms, by how many of the batches wait for approvals. */
const QUESTIONS = {
  none: 'From now on this pays without a confirmation, and no approval is needed.',
  some: 'From now on this pays without a confirmation, and waits for approvals only above a tier.',
  all: 'From now on this begins without a confirmation, and each run waits for its approvals.',
} as const;

/** Whether the schedule is new. Throws SCHEDULE_EXISTS for another definition, before a person reads the preview. */
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
async function signSchedule(
  definition: ScheduleDefinition,
  flags: CreateFlags,
  { settings, context }: Readonly<{ settings: Settings; context: Context }>,
): Promise<Creation> {
  const { approval: policy } = settings.rules;
  const person = await actingPerson(flags, policy, { settings, context });
  const { scheduleId } = definition;
  const about = scheduleSubject({ scheduleId, definitionJson: JSON.stringify(definition) });
  const isNeeded = reachOf(policy) === 'all';
  const { submission = null } = signSubmit(person, about, { policy, isNeeded });
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
