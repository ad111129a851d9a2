import { createSchedule as create, planSchedule } from '../../../app/schedules/make.ts';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { checkScheduleId } from '../../../domain/schedule/names.ts';
import { type KeyFlag, signHere } from '../../../operations/approval/submitter.ts';
import { loadSettings } from '../../../operations/batch/sources.ts';
import { confirmWord } from '../../../operations/prompts/confirm.ts';
import type { Context } from '../../context.ts';
import { perform } from '../../perform.ts';
import { printCreated } from '../../print/schedule-page.ts';
import { previewText } from '../../print/schedule-text.ts';
import { type DefinitionFlags, readDefinition } from './definition-flags.ts';

type CreateFlags = DefinitionFlags & KeyFlag & Readonly<{ schedule: string; yes?: boolean }>;

/**
 * `bursar schedule create ID`: shows the next runs, has the person confirm, and creates it. The same command again adds
 * missing parts.
 */
export async function createSchedule(flags: CreateFlags, context: Context): Promise<number> {
  const scheduleId = checkScheduleId(flags.schedule);
  const wish = { scheduleId, definition: await readDefinition(flags, context) };
  const plan = await perform(planSchedule, wish, context);
  const { preview, isFolderHere, reach } = plan;
  context.say(previewText(preview));
  if (!isFolderHere && preview.folder !== undefined) {
    context.say(`The folder ${preview.folder} is not here; it must be where the workers are.`);
  }
  await confirmWord({ question: QUESTIONS[reach], expected: scheduleId, ...flags }, context);
  const settings = await loadSettings(context);
  const signed = await signHere(plan.submission, flags, { settings, context });
  printCreated(await perform(create, { ...wish, ...signed }, context), context);
  return EXIT.done;
}

/** The facts for the person who confirms, by how many of the batches wait for approvals. */
const QUESTIONS = {
  none: 'From now on this pays without a confirmation, and no approval is needed.',
  some: 'From now on this pays without a confirmation, and waits for approvals only above a tier.',
  all: 'From now on this begins without a confirmation, and each run waits for its approvals.',
} as const;
