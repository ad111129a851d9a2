import {
  deleteSchedule as remove,
  pauseSchedule as pause,
  resumeSchedule as resume,
} from '../../../app/schedules/change.ts';
import { showSchedule } from '../../../app/schedules/look.ts';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { confirmWord } from '../../../operations/prompts/confirm.ts';
import { NOTE_LENGTH_MAX } from '../../../operations/schedule/change.ts';
import type { Context } from '../../context.ts';
import { perform } from '../../perform.ts';
import { printResult } from '../../print/output.ts';
import { printSchedule } from '../../print/schedule-page.ts';

/** `bursar schedule pause ID --note TEXT`: no run of it begins any more. Runs that have begun continue. */
export async function pauseSchedule(
  { schedule: scheduleId, note }: Readonly<{ schedule: string; note: string }>,
  context: Context,
): Promise<number> {
  printSchedule(await perform(pause, { scheduleId, note: readNote(note) }, context), context);
  return EXIT.done;
}

function readNote(text: string): string {
  const note = text.trim();
  if (note !== '' && note.length <= NOTE_LENGTH_MAX) return note;
  throw flagInvalid('--note', `give 1 to ${NOTE_LENGTH_MAX} characters that give the reason`);
}

/** `bursar schedule resume ID`: runs begin again; those of the time between stay skipped. Sets up what Temporal lacks. */
export async function resumeSchedule(
  { schedule: scheduleId }: Readonly<{ schedule: string }>,
  context: Context,
): Promise<number> {
  printSchedule(await perform(resume, { scheduleId }, context), context);
  return EXIT.done;
}

type DeleteFlags = Readonly<{ schedule: string; yes?: boolean }>;

/** `bursar schedule delete ID`: no run of it begins any more. Its history stays. */
export async function deleteSchedule(flags: DeleteFlags, context: Context): Promise<number> {
  const found = await perform(showSchedule, { scheduleId: flags.schedule }, context);
  if (found.state !== 'DELETED') {
    const question = 'Nothing of this schedule will begin any more.';
    await confirmWord({ question, expected: found.scheduleId, ...flags }, context);
  }
  const json = await perform(remove, { scheduleId: found.scheduleId }, context);
  const { scheduleId } = json;
  printResult(context, {
    json,
    text: `Schedule ${scheduleId} is deleted. A batch that is under way goes on; its runs stay in the store: bursar schedule show ${scheduleId}`,
  });
  return EXIT.done;
}
