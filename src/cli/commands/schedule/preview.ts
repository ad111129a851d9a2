import { previewSchedule as previewIt } from '../../../app/schedules/make.ts';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { readCount } from '../../../operations/input/lists.ts';
import { PREVIEW_RUNS, PREVIEW_RUNS_MAX } from '../../../operations/schedule/preview.ts';
import type { Context } from '../../context.ts';
import { perform } from '../../perform.ts';
import { printResult } from '../../print/output.ts';
import { previewText } from '../../print/schedule-text.ts';
import { readDate } from './dates.ts';
import { type DefinitionFlags, readDraft } from './definition-flags.ts';

type PreviewFlags = DefinitionFlags &
  Readonly<{ schedule?: string; count?: string; from?: string }>;

/** `bursar schedule preview [ID]`: the next runs of a schedule, or of one that is made of these flags. */
export async function previewSchedule(flags: PreviewFlags, context: Context): Promise<number> {
  const { schedule, count: countText, from, ...definition } = flags;
  const count = countText === undefined ? PREVIEW_RUNS : readCount('--count', countText);
  if (count > PREVIEW_RUNS_MAX) throw flagInvalid('--count', `is above ${PREVIEW_RUNS_MAX}`);
  const isKnown = Object.keys(definition).length === 0 && schedule !== undefined;
  const wish = {
    count,
    ...(schedule === undefined ? {} : { scheduleId: schedule }),
    ...(from === undefined ? {} : { from: readDate('--from', from) }),
    ...(isKnown ? {} : { definition: await readDraft(definition, context) }),
  };
  const preview = await perform(previewIt, wish, context);
  printResult(context, { json: preview, text: previewText(preview) });
  return EXIT.done;
}
