import { backfillSchedule, planBackfill } from '../../../app/schedules/runs.ts';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { counted } from '../../../domain/text/counted.ts';
import { type KeyFlag, signAllHere } from '../../../operations/approval/submitter.ts';
import { loadSettings } from '../../../operations/batch/sources.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { readReason } from '../../../operations/input/reason.ts';
import { confirmWord } from '../../../operations/prompts/confirm.ts';
import type { Context } from '../../context.ts';
import { perform } from '../../perform.ts';
import { printResult } from '../../print/output.ts';
import { runLines } from '../../print/schedule-text.ts';
import { readDate } from './dates.ts';

type BackfillFlags = Readonly<{
  schedule: string;
  from: string;
  to: string;
  reason: string;
  yes?: boolean;
}> &
  KeyFlag;

/** `bursar schedule backfill ID --from DATE --to DATE`: starts the runs of the past that did not happen, each at most once. */
export async function backfillRuns(flags: BackfillFlags, context: Context): Promise<number> {
  const reason = readReason(flags.reason);
  const from = readDate('--from', flags.from);
  const to = readDate('--to', flags.to);
  if (to < from) throw flagInvalid('--to', 'lies before --from');
  const wish = { scheduleId: flags.schedule, from, to, reason };
  const plan = await perform(planBackfill, wish, context);
  const { runs, leadMs } = plan;
  if (runs.length > 0) {
    context.say(runLines(runs, leadMs).join('\n'));
    const question = `${runs.length === 1 ? 'This run is' : `These ${runs.length} runs are`} started now and paid at once.`;
    await confirmWord({ question, expected: plan.scheduleId, ...flags }, context);
  }
  const settings = await loadSettings(context);
  const key = { ...flags, reason };
  const submissions = await signAllHere(plan.submissions, key, { settings, context });
  const json = await perform(
    backfillSchedule,
    { ...wish, runs: runs.map(({ run }) => run), submissions },
    context,
  );
  const total =
    runs.length === 0 ? 'No run' : `${json.runs.length} of ${counted(runs.length, 'run')}`;
  printResult(context, {
    json,
    text: `${total} of ${json.scheduleId} between ${from} and ${to} started.`,
  });
  return EXIT.done;
}
