import type { AuditEntry } from '../../domain/audit/chain.ts';
import { BursarError, isBursarError } from '../../domain/errors/bursar-error.ts';
import { pausedReason } from '../../domain/schedule/run-state.ts';
import { runsIn } from '../../domain/schedule/runs.ts';
import { counted } from '../../domain/text/counted.ts';
import { actorOf, unsignedActorOf } from '../batch/actor.ts';
import { ownStore } from '../batch/own-store.ts';
import { withSources } from '../batch/sources.ts';
import type { Sources } from '../batch/types.ts';
import type { OperationContext } from '../context.ts';
import { findEverMade, findSchedule, type KnownSchedule } from './find.ts';
import { readSchedule, type ScheduleView } from './standing.ts';

/** Characters of a note. */
export const NOTE_LENGTH_MAX = 200;

export type PauseWish = Readonly<{ scheduleId: string; note: string }>;
export type ScheduleWish = Readonly<{ scheduleId: string }>;

/** No run of a schedule begins any more. Runs that have begun continue. @throws SCHEDULE_NOT_FOUND, SCHEDULE_TEMPORAL_UNTOLD */
export const pauseSchedule = (
  { scheduleId: text, note }: PauseWish,
  context: OperationContext,
): Promise<ScheduleView> =>
  withSources(context, async (sources) => {
    const { definition, record } = await findSchedule(sources.store, text);
    const { scheduleId } = definition;
    if (record.paused !== null) context.say('It was paused already.');
    const sinceMs = context.clock.nowMs();
    const audit = await entry(sources, context, { action: 'schedule-pause', scheduleId, note });
    // From here on no run begins, in any state of Temporal.
    await sources.store.schedules.pause(scheduleId, { sinceMs, note }, audit);
    await tellTemporal({ scheduleId, done: 'paused' }, async () =>
      (await sources.engine()).schedules.pause(scheduleId, note),
    );
    return readAgain(sources, scheduleId, context);
  });

/** Runs begin again; those of the time between stay skipped. Sets up what Temporal lacks. @throws SCHEDULE_NOT_FOUND */
export const resumeSchedule = (
  { scheduleId: text }: ScheduleWish,
  context: OperationContext,
): Promise<ScheduleView> =>
  withSources(context, async (sources) => {
    const found = await findSchedule(sources.store, text);
    const { scheduleId } = found.definition;
    const engine = await sources.engine();
    if (found.record.paused === null) context.say('It was active already.');
    const nowMs = context.clock.nowMs();
    const skipped = await noteSkipped(sources, found, nowMs);
    if (skipped > 0) {
      context.say(
        `${counted(skipped, 'run was', 'runs were')} skipped while it was paused. "bursar schedule trigger" starts one of them.`,
      );
    }
    const store = await ownStore(sources);
    // It stays paused until both agree: the store, which counts, comes last.
    await engine.schedules.put(found.definition, { nowMs, paused: false, note: '', store });
    const audit = await entry(sources, context, { action: 'schedule-resume', scheduleId });
    await sources.store.schedules.resume(scheduleId, audit);
    return readAgain(sources, scheduleId, context);
  });

/** Runs that are written down at once. */
const SKIPPED_PAGE = 500;

/** A run that was due while the schedule was paused is SKIPPED and not MISSED: a person paused it on purpose. */
async function noteSkipped(
  { store }: Sources,
  { record, definition }: KnownSchedule,
  nowMs: number,
): Promise<number> {
  if (record.paused === null) return 0;
  const { scheduleId } = definition;
  const detail = pausedReason(record.paused.note);
  let skipped = 0;
  for (let afterMs = record.paused.sinceMs - 1; ; ) {
    const runs = runsIn(definition, { afterMs, untilMs: nowMs }, SKIPPED_PAGE);
    for (const { nominal, dueAtMs } of runs) {
      const change = { state: 'SKIPPED', detail, dueAtMs, atMs: nowMs } as const;
      const isNew = await store.scheduleRuns.note({ scheduleId, nominal }, change);
      if (isNew) skipped += 1;
    }
    const last = runs.at(-1);
    if (last === undefined || runs.length < SKIPPED_PAGE) return skipped;
    afterMs = last.startAtMs - 1;
  }
}

export type DeletedSchedule = Readonly<{ schema: 'bursar.schedule-delete/v1'; scheduleId: string }>;

/** No run of a schedule begins any more. Its history stays. @throws SCHEDULE_NOT_FOUND, SCHEDULE_TEMPORAL_UNTOLD */
export const deleteSchedule = (
  { scheduleId: text }: ScheduleWish,
  context: OperationContext,
): Promise<DeletedSchedule> =>
  withSources(context, async (sources) => {
    const { record } = await findEverMade(sources.store, text);
    const { scheduleId } = record;
    // Repeated for a deleted schedule: Temporal may still have it.
    if (record.deletedAtMs === null) {
      const atMs = context.clock.nowMs();
      const audit = await entry(sources, context, { action: 'schedule-delete', scheduleId });
      await sources.store.schedules.remove(scheduleId, atMs, audit);
    }
    await tellTemporal({ scheduleId, done: 'deleted' }, async () =>
      (await sources.engine()).schedules.remove(scheduleId),
    );
    return { schema: 'bursar.schedule-delete/v1', scheduleId };
  });

/** The store has the change. An error that only names Temporal would read as if nothing had changed. */
async function tellTemporal(
  about: Readonly<{ scheduleId: string; done: string }>,
  tell: () => Promise<void>,
): Promise<void> {
  try {
    await tell();
  } catch (error) {
    if (!isBursarError(error) || error.code !== 'TEMPORAL_UNREACHABLE') throw error;
    const reason = error.note.what;
    throw new BursarError('SCHEDULE_TEMPORAL_UNTOLD', { ...about, reason }, { cause: error });
  }
}

async function entry(
  sources: Sources,
  context: OperationContext,
  { action, ...detail }: Readonly<{ action: string; scheduleId: string; note?: string }>,
): Promise<AuditEntry> {
  const by = actorOf(sources.settings, context);
  const actor = await unsignedActorOf(sources, { by, batchId: null });
  return { atMs: context.clock.nowMs(), batchId: null, actor, action, detail };
}

async function readAgain(
  sources: Sources,
  scheduleId: string,
  context: OperationContext,
): Promise<ScheduleView> {
  return readSchedule(sources, await findSchedule(sources.store, scheduleId), context);
}
