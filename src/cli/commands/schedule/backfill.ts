import type { Sources } from '../../../operations/batch/types.ts';
import { counted } from '../../../domain/text/counted.ts';
import { BursarError } from '../../../domain/errors/bursar-error.ts';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { mayStartByHand } from '../../../domain/schedule/run-state.ts';
import { runsIn } from '../../../domain/schedule/runs.ts';
import type { Demand } from '../../../contract/schedule.ts';
import { actingPerson, type KeyFlag } from '../../../operations/approval/submitter.ts';
import { ownStore } from '../../../operations/batch/own-store.ts';
import { onRecord } from '../../../operations/batch/on-record.ts';
import { withSources } from '../../../operations/batch/sources.ts';
import type { Context } from '../../context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { readLocalDate } from '../../../operations/input/local-date.ts';
import { readReason } from '../../../operations/input/reason.ts';
import { printResult } from '../../print/output.ts';
import { runLines } from '../../print/schedule-text.ts';
import { confirmWord } from '../../../operations/prompts/confirm.ts';
import { takenError } from '../../../operations/schedule/demand.ts';
import { type KnownSchedule, findSchedule } from '../../../operations/schedule/find.ts';
import { signDemand } from '../../../operations/schedule/sign-demand.ts';
import { type RunView, runView } from '../../../operations/schedule/views.ts';

type BackfillFlags = Readonly<{
  schedule: string;
  from: string;
  to: string;
  reason: string;
  yes?: boolean;
}> &
  KeyFlag;

/** Runs that one command starts at most. */
const RUNS_MAX = 31;

/** `bursar schedule backfill ID --from DATE --to DATE`: starts the runs of the past that did not happen, each at most once. */
export async function backfillRuns(flags: BackfillFlags, context: Context): Promise<number> {
  const reason = readReason(flags.reason);
  return withSources(context, async (sources) => {
    const found = await findSchedule(sources.store, flags.schedule);
    const { definition } = found;
    const { scheduleId } = definition;
    const { from, to } = flags;
    const runs = await onRecord(
      {
        action: 'schedule-backfill',
        batchId: null,
        detail: { scheduleId, from, to, reason },
      },
      { sources, context },
      () => findRuns(sources, found, { from, to, nowMs: context.clock.nowMs() }),
    );
    if (runs.length > 0) {
      context.say(runLines(runs, definition.leadMs).join('\n'));
      const question = `${runs.length === 1 ? 'This run is' : `These ${runs.length} runs are`} started now and paid at once.`;
      await confirmWord({ question, expected: scheduleId, ...flags }, context);
    }
    const { settings } = sources;
    const { approval: policy } = settings.rules;
    const person = await actingPerson(flags, policy, { settings, context });
    const demands = runs.map((run) => {
      const asked = { nominal: run.run, reason };
      return { run, demand: signDemand(found, asked, { person, policy }) };
    });
    const started = await startAll(sources, found, demands);
    const [first] = runs;
    if (first !== undefined && started.length === 0) {
      const run = { scheduleId, nominal: first.run };
      throw takenError(run, await sources.store.scheduleRuns.find(run));
    }
    const total =
      runs.length === 0 ? 'No run' : `${started.length} of ${counted(runs.length, 'run')}`;
    printResult(context, {
      json: {
        schema: 'bursar.schedule-backfill/v1',
        scheduleId,
        reason,
        runs: started,
        by: person.name,
      },
      text: `${total} of ${scheduleId} between ${flags.from} and ${flags.to} started.`,
    });
    return EXIT.done;
  });
}

type Range = Readonly<{ from: string; to: string; nowMs: number }>;

/** Runs for these dates whose time is over and of which no batch began. */
async function findRuns(
  { store }: Sources,
  { definition }: KnownSchedule,
  { from, to, nowMs }: Range,
): Promise<RunView[]> {
  const { scheduleId, timezone, shift, leadMs } = definition;
  const fromMs = readLocalDate('--from', from, timezone);
  const toMs = readLocalDate('--to', to, timezone);
  if (toMs < fromMs) throw flagInvalid('--to', 'lies before --from');
  const marginMs = shift === 'none' ? GAP_MS_MAX : SHIFT_MS_MAX;
  const untilMs = Math.min(nowMs, toMs + marginMs);
  const runs = runsIn(definition, { afterMs: fromMs - marginMs - leadMs, untilMs }, LOOKED_AT_MAX);
  const views: RunView[] = [];
  for (const run of runs) {
    const date = run.nominal.slice(0, from.length);
    if (date < from || date > to) continue;
    const record = await store.scheduleRuns.find({ scheduleId, nominal: run.nominal });
    if (mayStartByHand(record)) views.push(runView(definition, run, record));
  }
  if (views.length <= RUNS_MAX && runs.length < LOOKED_AT_MAX) return views;
  throw new BursarError('BACKFILL_TOO_LARGE', {
    runs: String(Math.max(views.length, runs.length)),
    max: String(RUNS_MAX),
  });
}

/** How far from its date a run can be: two days, for zones; with days off, a month more. Milliseconds. */
const GAP_MS_MAX = 2 * 86_400_000;
const SHIFT_MS_MAX = 33 * 86_400_000;
/** Runs that are searched; no person starts more by hand. */
const LOOKED_AT_MAX = 2_000;

async function startAll(
  sources: Sources,
  { definition }: KnownSchedule,
  demands: readonly Readonly<{ run: RunView; demand: Demand }>[],
): Promise<RunView[]> {
  const started: RunView[] = [];
  if (demands.length === 0) return started;
  const store = await ownStore(sources);
  const { schedules } = await sources.engine();
  const { scheduleId } = definition;
  for (const { run, demand } of demands) {
    if ((await schedules.demand(scheduleId, demand, store)) === 'started') started.push(run);
  }
  return started;
}
