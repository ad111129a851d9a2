import type { Progress } from '../context.ts';
import type { Engine } from '../engine/engine.ts';
import type { Sources } from '../batch/types.ts';
import { isBursarError } from '../../domain/errors/bursar-error.ts';
import { mayBeginByItself, type RunRecord } from '../../domain/schedule/run-state.ts';
import { findRun, nextRuns } from '../../domain/schedule/runs.ts';
import type { Run } from '../../domain/schedule/timing.ts';
import type { OperationContext } from '../context.ts';
import { isoOf } from '../../domain/schedule/zone.ts';
import type { KnownSchedule } from './find.ts';
import { unnotedRuns } from './unnoted.ts';
import { choicesView, type RunView, runView, timingView } from './views.ts';

/** The state of a schedule in Temporal; `null`: Temporal did not answer. */
export type TemporalWord = 'at work' | 'paused' | 'unknown' | null;

/** A schedule as it is shown. */
export type ScheduleView = ReturnType<typeof viewOf>;

/** Runs that are shown of the past, and of the time ahead. */
const PAST_SHOWN = 10;
const AHEAD_SHOWN = 5;

/** Reads a schedule: its definition, its runs, missed runs that the store does not have yet, and the runs ahead. */
export async function readSchedule(
  sources: Sources,
  found: KnownSchedule,
  context: OperationContext,
): Promise<ScheduleView> {
  const { scheduleId } = found.definition;
  const nowMs = context.clock.nowMs();
  const temporal = await temporalWord(sources.engine, scheduleId, context);
  const records = await sources.store.scheduleRuns.list(scheduleId, { limit: PAST_SHOWN * 2 });
  const past = records.map((record) => {
    const run = findRun(found.definition, record.nominal) ?? plainRun(record);
    return runView(found.definition, run, record);
  });
  const missed = unnotedRuns(found, { records, nowMs }).map(({ run, state, reason }) =>
    runView(found.definition, run, { state, detail: reason, fileName: null }),
  );
  const isDeleted = found.record.deletedAtMs !== null;
  return viewOf(found, {
    temporal,
    past: latest([...past, ...missed]),
    ahead: isDeleted ? [] : runsAhead(found, records, nowMs),
    deletedBy: isDeleted ? await whoDeleted(sources, scheduleId) : null,
  });
}

function runsAhead(
  { definition }: KnownSchedule,
  records: readonly RunRecord[],
  nowMs: number,
): readonly RunView[] {
  const begun = records.filter((record) => !mayBeginByItself(record));
  const known = new Set(begun.map(({ nominal }) => nominal));
  return nextRuns(definition, nowMs, AHEAD_SHOWN)
    .filter(({ nominal }) => !known.has(nominal))
    .map((run) => runView(definition, run));
}

/** The person who deleted it, from the audit log; null: a crash interrupted the deletion. */
async function whoDeleted({ store }: Sources, id: string): Promise<string | null> {
  const entry = await store.audit.latest(
    'schedule-delete',
    ({ detail }) => detail['scheduleId'] === id,
  );
  return entry?.actor ?? null;
}

/** Reads the state from Temporal. Without Temporal the state in the store is better than none. */
export async function temporalWord(
  engine: () => Promise<Engine>,
  scheduleId: string,
  { say }: Progress,
): Promise<TemporalWord> {
  try {
    const standing = await (await engine()).schedules.describe(scheduleId);
    if (standing === undefined) return 'unknown';
    return standing.paused ? 'paused' : 'at work';
  } catch (error) {
    if (!isBursarError(error) || error.code !== 'TEMPORAL_UNREACHABLE') throw error;
    say(`${error.note.what} Schedules are shown as the store has them.`);
    return null;
  }
}

/** A run of an earlier definition with the same id. */
const plainRun = ({ nominal, dueAtMs }: Readonly<{ nominal: string; dueAtMs: number }>): Run => ({
  nominal,
  dueAtMs,
  startAtMs: dueAtMs,
  latestStartMs: dueAtMs,
  marks: [],
});

const latest = (runs: readonly RunView[]): RunView[] =>
  [...runs].sort((a, b) => (a.dueAt < b.dueAt ? 1 : -1)).slice(0, PAST_SHOWN);

type Shown = Readonly<{
  temporal: TemporalWord;
  past: readonly RunView[];
  ahead: readonly RunView[];
  deletedBy: string | null;
}>;

const stateOf = ({ deletedAtMs, paused }: KnownSchedule['record']) => {
  if (deletedAtMs !== null) return 'DELETED';
  return paused === null ? 'AT_WORK' : 'PAUSED';
};

function viewOf(
  { definition, record }: KnownSchedule,
  { temporal, past, ahead, deletedBy }: Shown,
) {
  const { paused, createdBy, createdAtMs, deletedAtMs } = record;
  return {
    schema: 'bursar.schedule/v1',
    ...timingView(definition),
    ...choicesView(definition),
    state: stateOf(record),
    pausedAt: paused === null ? null : isoOf(paused.sinceMs),
    note: paused?.note ?? null,
    temporal,
    createdBy,
    createdAt: isoOf(createdAtMs),
    deletedBy,
    deletedAt: deletedAtMs === null ? null : isoOf(deletedAtMs),
    lastRuns: past,
    nextRuns: ahead,
  } as const;
}
