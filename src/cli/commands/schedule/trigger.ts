import { codeWords } from '../../../domain/text/state-words.ts';
import type { Sources } from '../../../operations/batch/types.ts';
import type { ScheduleDefinition } from '../../../contract/schedule.ts';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { batchIdOf } from '../../../domain/schedule/names.ts';
import type { Run } from '../../../domain/schedule/timing.ts';
import { actingPerson, type KeyFlag } from '../../../operations/approval/submitter.ts';
import { ownStore } from '../../../operations/batch/own-store.ts';
import { onRecord } from '../../../operations/batch/on-record.ts';
import { withSources } from '../../../operations/batch/sources.ts';
import type { Context } from '../../context.ts';
import { readReason } from '../../../operations/input/reason.ts';
import { printResult } from '../../print/output.ts';
import { runLines } from '../../print/schedule-text.ts';
import { confirmWord } from '../../../operations/prompts/confirm.ts';
import { findStartable, takenError } from '../../../operations/schedule/demand.ts';
import { type KnownSchedule, findSchedule } from '../../../operations/schedule/find.ts';
import { signDemand } from '../../../operations/schedule/sign-demand.ts';
import { printable } from '../../terminal/printable.ts';
import { runView } from '../../../operations/schedule/views.ts';

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
  return withSources(context, async (sources) => {
    const found = await findSchedule(sources.store, flags.schedule);
    const { scheduleId } = found.definition;
    const detail = { scheduleId, run: flags.run };
    await onRecord(
      { action: 'schedule-trigger', batchId: null, detail },
      { sources, context },
      () => startRun({ found, flags, reason }, sources, context),
    );
    return EXIT.done;
  });
}

type Wish = Readonly<{ found: KnownSchedule; flags: TriggerFlags; reason: string }>;

async function startRun(
  { found, flags, reason }: Wish,
  sources: Sources,
  context: Context,
): Promise<void> {
  const { definition } = found;
  const { scheduleId } = definition;
  const nowMs = context.clock.nowMs();
  const store = await ownStore(sources);
  const { run, record } = await findStartable(sources, found, { nominal: flags.run, nowMs });
  const batchId = batchIdOf(definition, run.nominal, record?.rejected);
  const view = { ...runView(definition, run), batchId };
  context.say(runLines([view], definition.leadMs).join('\n'));
  if (record !== undefined)
    context.say(`${codeWords(record.state)} before: ${printable(record.detail)}`);
  const { paused } = found.record;
  if (paused !== null) {
    context.say(`The schedule is paused (${printable(paused.note)}); this run is still started.`);
  }
  const { settings } = sources;
  const { approval: policy } = settings.rules;
  const person = await actingPerson(flags, policy, { settings, context });
  const demand = signDemand(found, { nominal: run.nominal, reason }, { person, policy });
  const question = `This run is started now; ${whenPaid(definition, run, nowMs)}.`;
  await confirmWord({ question, expected: run.nominal, ...flags }, context);
  const engine = await sources.engine();
  if ((await engine.schedules.demand(scheduleId, demand, store)) === 'exists') {
    const taken = { scheduleId, nominal: run.nominal };
    throw takenError(taken, await sources.store.scheduleRuns.find(taken));
  }
  const isAhead = run.startAtMs > nowMs && paused === null;
  printResult(context, {
    json: {
      schema: 'bursar.schedule-trigger/v1',
      scheduleId,
      nominal: demand.nominal,
      by: demand.by,
      reason,
      batchId: view.batchId,
    },
    text:
      `The run of ${scheduleId} for ${run.nominal} is started; its batch is ${view.batchId}.\n` +
      (isAhead ? 'If no batch of it begins now, the schedule begins it at its own time.\n' : '') +
      `See what becomes of it with: bursar schedule show ${scheduleId}`,
  });
}

/** A run with a lead waits for its due time; every other one is paid when it is started. */
const whenPaid = ({ leadMs }: ScheduleDefinition, { dueAtMs }: Run, nowMs: number): string =>
  leadMs > 0 && dueAtMs > nowMs ? 'it is paid at its due time' : 'it is paid at once';
