import { planTrigger, triggerSchedule } from '../../../app/schedules/runs.ts';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { codeWords } from '../../../domain/text/state-words.ts';
import { type KeyFlag, signHere } from '../../../operations/approval/submitter.ts';
import { loadSettings } from '../../../operations/batch/sources.ts';
import { readReason } from '../../../operations/input/reason.ts';
import { confirmWord } from '../../../operations/prompts/confirm.ts';
import type { PlannedTrigger } from '../../../operations/schedule/trigger.ts';
import type { Context } from '../../context.ts';
import { perform } from '../../perform.ts';
import { printResult } from '../../print/output.ts';
import { runLines } from '../../print/schedule-text.ts';
import { printable } from '../../terminal/printable.ts';

type TriggerFlags = Readonly<{
  schedule: string;
  run: string;
  reason: string;
  yes?: boolean;
}> &
  KeyFlag;

/** `bursar schedule trigger ID --run TIME`: starts one run now, at most once in its life. */
export async function triggerRun(flags: TriggerFlags, context: Context): Promise<number> {
  const reason = readReason(flags.reason);
  const wish = { scheduleId: flags.schedule, run: flags.run, reason };
  const plan = await perform(planTrigger, wish, context);
  const { run, before, pausedBecause, submission } = plan;
  context.say(runLines([run], plan.leadMs).join('\n'));
  if (before !== null) {
    context.say(`${codeWords(before.state)} before: ${printable(before.detail)}`);
  }
  if (pausedBecause !== null) {
    context.say(`The schedule is paused (${printable(pausedBecause)}); this run is still started.`);
  }
  const settings = await loadSettings(context);
  const signed = await signHere(submission, { ...flags, reason }, { settings, context });
  const nowMs = context.clock.nowMs();
  const question = `This run is started now; ${whenPaid(plan, nowMs)}.`;
  await confirmWord({ question, expected: run.run, ...flags }, context);
  const json = await perform(triggerSchedule, { ...wish, ...signed }, context);
  const isAhead = Date.parse(run.beginsAt) > nowMs && pausedBecause === null;
  printResult(context, {
    json,
    text:
      `The run of ${json.scheduleId} for ${run.run} is started; its batch is ${json.batchId}.\n` +
      (isAhead ? 'If no batch of it begins now, the schedule begins it at its own time.\n' : '') +
      `See what becomes of it with: bursar schedule show ${json.scheduleId}`,
  });
  return EXIT.done;
}

/** A run with a lead waits for its due time; every other one is paid when it is started. */
const whenPaid = ({ leadMs, run }: PlannedTrigger, nowMs: number): string =>
  leadMs > 0 && Date.parse(run.dueAt) > nowMs ? 'it is paid at its due time' : 'it is paid at once';
