import type { Approval } from '../../domain/approval/statement.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { mayStartByHand } from '../../domain/schedule/run-state.ts';
import { runsIn } from '../../domain/schedule/runs.ts';
import type { SubmissionQuestion } from '../approval/submission-question.ts';
import { actorOf } from '../batch/actor.ts';
import { onRecord } from '../batch/on-record.ts';
import { ownStore } from '../batch/own-store.ts';
import { withSources } from '../batch/sources.ts';
import type { Sources } from '../batch/types.ts';
import type { OperationContext } from '../context.ts';
import { readLocalDate } from '../input/local-date.ts';
import { takenError } from './demand.ts';
import { findSchedule, type KnownSchedule } from './find.ts';
import { demandOf, demandQuestion } from './sign-demand.ts';
import { type RunView, runView } from './views.ts';

/** `from` and `to`: dates by the local time that names a run, both included. */
export type RangeWish = Readonly<{ scheduleId: string; from: string; to: string; reason: string }>;

/** `runs`: only these, by name; missing: all. `submissions`: signed statements of the person who starts them. */
export type BackfillWish = RangeWish &
  Readonly<{ runs?: readonly string[]; submissions: readonly Approval[] }>;

/** Runs before a person starts them. `submissions`: in the order of the runs. */
export type PlannedBackfill = Readonly<{
  schema: 'bursar.schedule-backfill-plan/v1';
  scheduleId: string;
  leadMs: number;
  runs: readonly RunView[];
  submissions: readonly SubmissionQuestion[];
}>;

/** `runs`: those that were started. */
export type BackfilledRuns = Readonly<{
  schema: 'bursar.schedule-backfill/v1';
  scheduleId: string;
  reason: string;
  runs: readonly RunView[];
  by: string;
}>;

/** Runs that one call starts at most. */
const RUNS_MAX = 31;

/** The runs of the past that did not happen; nothing is started. @throws BACKFILL_TOO_LARGE */
export const planBackfill = (
  wish: RangeWish,
  context: OperationContext,
): Promise<PlannedBackfill> =>
  withRuns(wish, context, async (runs, { found, sources }) => {
    const { scheduleId, leadMs } = found.definition;
    const submissions = runs.map(({ run }) => demandQuestion(found, run, sources.settings));
    return { schema: 'bursar.schedule-backfill-plan/v1', scheduleId, leadMs, runs, submissions };
  });

/** Starts the runs of the past that did not happen, each at most once. @throws SCHEDULE_RUN_TAKEN where all have begun since */
export const backfillSchedule = (
  wish: BackfillWish,
  context: OperationContext,
): Promise<BackfilledRuns> =>
  withRuns(wish, context, async (all, { found, sources }) => {
    const { reason, runs: named } = wish;
    const { scheduleId } = found.definition;
    const runs = all.filter(({ run }) => named?.includes(run) !== false);
    const started = await startAll(runs, { wish, found, sources, context });
    const [first] = named ?? runs.map(({ run }) => run);
    if (first !== undefined && started.length === 0) {
      const run = { scheduleId, nominal: first };
      throw takenError(run, await sources.store.scheduleRuns.find(run));
    }
    const by = actorOf(sources.settings, context);
    return {
      schema: 'bursar.schedule-backfill/v1',
      scheduleId,
      reason,
      runs: started.map(({ run }) => run),
      by: started[0]?.by ?? by,
    };
  });

type Job = Readonly<{ found: KnownSchedule; sources: Sources }>;

/** Finds the runs for `use`. The log has a try that is refused. */
const withRuns = <Result>(
  { scheduleId: text, from, to, reason }: RangeWish,
  context: OperationContext,
  use: (runs: readonly RunView[], job: Job) => Promise<Result>,
): Promise<Result> =>
  withSources(context, async (sources) => {
    const found = await findSchedule(sources.store, text);
    const { scheduleId } = found.definition;
    const detail = { scheduleId, from, to, reason };
    return onRecord(
      { action: 'schedule-backfill', batchId: null, detail },
      { sources, context },
      async () => {
        const range = { from, to, nowMs: context.clock.nowMs() };
        return use(await findRuns(sources, found, range), { found, sources });
      },
    );
  });

type Range = Readonly<{ from: string; to: string; nowMs: number }>;

/** Runs for these dates whose time is over and of which no batch began. */
async function findRuns(
  { store }: Sources,
  { definition }: KnownSchedule,
  { from, to, nowMs }: Range,
): Promise<RunView[]> {
  const { scheduleId, timezone, shift, leadMs } = definition;
  if (to < from) throw new BursarError('REQUEST_UNUSABLE', { problems: 'to: lies before from' });
  const fromMs = readLocalDate('from', from, timezone);
  const toMs = readLocalDate('to', to, timezone);
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

type StartedRun = Readonly<{ run: RunView; by: string }>;

async function startAll(
  runs: readonly RunView[],
  {
    wish,
    found,
    sources,
    context,
  }: Job & Readonly<{ wish: BackfillWish; context: OperationContext }>,
): Promise<StartedRun[]> {
  if (runs.length === 0) return [];
  const { settings } = sources;
  const { reason, submissions } = wish;
  // Every one is signed before the first is started.
  const demands = runs.map((run) => {
    const { subject } = demandQuestion(found, run.run, settings);
    const submission = submissions.find((one) => one.subject === subject);
    const asked = { nominal: run.run, reason, submission };
    return { run, demand: demandOf(found, asked, { settings, context }) };
  });
  const store = await ownStore(sources);
  const { schedules } = await sources.engine();
  const { scheduleId } = found.definition;
  const started: StartedRun[] = [];
  for (const { run, demand } of demands) {
    const outcome = await schedules.demand(scheduleId, demand, store);
    if (outcome === 'started') started.push({ run, by: demand.by });
  }
  return started;
}
