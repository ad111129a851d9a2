import { batchWorkflowId, isDemandWorkflowId } from '../../contract/names.ts';
import {
  type EndRunInput,
  readDefinition,
  type ScheduleDefinition,
} from '../../contract/schedule.ts';
import type { EndState } from '../../domain/batch/batch-state.ts';
import { type ErrorNote, noteOf } from '../../domain/errors/bursar-error.ts';
import { missedRuns, NOT_BEGUN } from '../../domain/schedule/missed.ts';
import type { RunRecord } from '../../domain/schedule/run-state.ts';
import type { RunKey } from '../../store/schedules/runs.ts';
import type { ScheduleRecord } from '../../store/schedules/schedules.ts';
import type { ScheduleDeps } from './deps.ts';
import { endRun } from './end-run.ts';
import { missedNews, runEntry, scheduleActor } from './run-events.ts';

export type ScheduleWatchDeps = Pick<ScheduleDeps, 'store' | 'timetables' | 'notify' | 'nowMs'>;

/**
 * How long after its last moment to begin a run is called missed, in milliseconds: a worker that has it may be writing.
 */
const GRACE_MS = 30_000;
/** How long a run stays unchanged before its workflow is described, in milliseconds. */
const QUIET_MS = 120_000;
/** Runs of one schedule that are held against the missed ones; more are not open at once. */
const RECORDS_MAX = 500;

/**
 * Checks schedules: extends the lists in Temporal, finds missed runs and notifies people, and ends runs whose workflow
 * is gone. Returns the result in a few words. An error of one schedule stops no other; the first is thrown at the end.
 */
export async function checkSchedules(deps: ScheduleWatchDeps): Promise<string> {
  const troubles: unknown[] = [];
  const attempt = async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await work();
    } catch (error) {
      troubles.push(error);
      return undefined;
    }
  };
  let [missed, ended] = [0, 0];
  for (const run of await deps.store.scheduleRuns.open()) {
    ended += (await attempt(() => endLeftBehind(deps, run))) ? 1 : 0;
  }
  const schedules = await deps.store.schedules.list();
  for (const schedule of schedules) {
    const definition = readDefinition(schedule);
    const standing = await attempt(() => deps.timetables.sync(definition, deps.nowMs()));
    const otherwise = standing === undefined ? NOT_BEGUN : WHY[standing];
    missed += (await attempt(() => noteMissed(deps, { schedule, definition, otherwise }))) ?? 0;
  }
  if (troubles.length > 0) throw troubles[0];
  return `${schedules.length} schedules, ${missed} runs missed, ${ended} left behind`;
}

/** Why a run did not begin, by how its schedule stands in Temporal. */
const WHY = {
  'at work': NOT_BEGUN,
  paused: 'the schedule is paused in Temporal, and not by Bursar',
  unknown: 'Temporal does not know the schedule; "bursar schedule resume" sets it up again',
} as const;

type CheckedSchedule = Readonly<{
  schedule: ScheduleRecord;
  definition: ScheduleDefinition;
  otherwise: string;
}>;

/** Stores the runs that did not begin, and notifies people of those that were not skipped on purpose. */
async function noteMissed(
  deps: ScheduleWatchDeps,
  { schedule, definition, otherwise }: CheckedSchedule,
): Promise<number> {
  const { store } = deps;
  const { scheduleId, paused, createdAtMs, watchedUntilMs: fromMs } = schedule;
  const atMs = deps.nowMs();
  const dueAfterMs = fromMs - definition.catchUpMs - 1;
  const records = await store.scheduleRuns.list(scheduleId, { dueAfterMs, limit: RECORDS_MAX });
  const open = (await store.scheduleRuns.open()).filter((run) => run.scheduleId === scheduleId);
  // One that was under way when another should have begun may have been due long before, and have ended since.
  const sinceMs = fromMs - definition.leadMs - definition.catchUpMs;
  const ended = await store.scheduleRuns.changedAfter(scheduleId, sinceMs);
  const blocking = [...open, ...ended].filter(
    ({ claimedBy }) => claimedBy !== null && !isDemandWorkflowId(claimedBy),
  );
  const { missed, untilMs } = missedRuns({
    timing: definition,
    createdAtMs,
    paused,
    records,
    blocking,
    otherwise,
    fromMs,
    toMs: atMs - GRACE_MS,
  });
  for (const { run, state, reason } of missed) {
    const action = state === 'MISSED' ? 'schedule-run-missed' : 'schedule-run-skipped';
    const entry = { atMs, actor: scheduleActor(scheduleId), action, detail: { reason } };
    const audit = runEntry({ definition, run }, entry);
    const change = { state, detail: reason, dueAtMs: run.dueAtMs, atMs, audit };
    await store.scheduleRuns.note({ scheduleId, nominal: run.nominal }, change);
  }
  // Also those that another worker stored, which may have died before its notification; each is sent once.
  for (const run of await store.scheduleRuns.list(scheduleId, { dueAfterMs, limit: RECORDS_MAX })) {
    if (run.state === 'MISSED') await deps.notify(missedNews({ definition, run }, run.detail));
  }
  await store.schedules.setWatchedUntil(scheduleId, untilMs);
  return missed.filter(({ state }) => state === 'MISSED').length;
}

const endOf = (
  run: RunKey,
  batchId: string,
  { endState, error }: Readonly<{ endState: EndState; error: ErrorNote | null }>,
): EndRunInput =>
  endState === 'REJECTED'
    ? { ...run, kind: 'rejected', batchId, problem: error?.what ?? '' }
    : { ...run, kind: 'ended', batchId, state: endState };

/** Ends a run whose workflow was ended by force: with the end of its batch, or as failed when it never had one. */
async function endLeftBehind(deps: ScheduleWatchDeps, run: RunRecord & RunKey): Promise<boolean> {
  const { store, timetables, nowMs } = deps;
  const { scheduleId, nominal, claimedBy, batchId, changedAtMs } = run;
  if (claimedBy === null || nowMs() - changedAtMs < QUIET_MS) return false;
  if (await timetables.isRunning(claimedBy)) return false;
  const runner = { workflowId: claimedBy, runId: `left-${changedAtMs}` };
  const batch = batchId === null ? undefined : await store.batches.find(batchId);
  if (batchId !== null && batch !== undefined) {
    const { endState, error } = batch;
    if (endState === null) return false;
    await endRun(deps, endOf({ scheduleId, nominal }, batchId, { endState, error }), runner);
    return true;
  }
  if (batchId !== null && (await timetables.isRunning(batchWorkflowId(batchId)))) return false;
  const by = 'its workflow was ended by force';
  const stopped = noteOf('SCHEDULE_RUN_STOPPED', { scheduleId, nominal, by });
  await endRun(deps, { kind: 'failed', scheduleId, nominal, error: stopped }, runner);
  return true;
}
