import type { Sources } from '../../../operations/batch/types.ts';
import { counted } from '../../../domain/text/counted.ts';
import type { AuditEntry } from '../../../domain/audit/chain.ts';
import { BursarError, isBursarError } from '../../../domain/errors/bursar-error.ts';
import { EXIT } from '../../../domain/errors/exit-codes.ts';
import { pausedReason } from '../../../domain/schedule/run-state.ts';
import { runsIn } from '../../../domain/schedule/runs.ts';
import { ownStore } from '../../../operations/batch/own-store.ts';
import { actorOf, unsignedActorOf } from '../../../operations/batch/actor.ts';
import { withSources } from '../../../operations/batch/sources.ts';
import type { Context } from '../../context.ts';
import { flagInvalid } from '../../../operations/input/flag-error.ts';
import { printResult } from '../../print/output.ts';
import { printSchedule } from '../../print/schedule-page.ts';
import { confirmWord } from '../../../operations/prompts/confirm.ts';
import {
  findEverMade,
  type KnownSchedule,
  findSchedule,
} from '../../../operations/schedule/find.ts';
import { readSchedule } from '../../../operations/schedule/standing.ts';
import { printable } from '../../terminal/printable.ts';

/** Characters of a note. */
const NOTE_LENGTH_MAX = 200;

/** `bursar schedule pause ID --note TEXT`: no run of it begins any more. Runs that have begun continue. */
export async function pauseSchedule(
  flags: Readonly<{ schedule: string; note: string }>,
  context: Context,
): Promise<number> {
  const note = readNote(flags.note);
  return withSources(context, async (sources) => {
    const { definition, record } = await findSchedule(sources.store, flags.schedule);
    const { scheduleId } = definition;
    if (record.paused !== null) {
      context.say(`It was paused already (${printable(record.paused.note)}).`);
    }
    const sinceMs = context.clock.nowMs();
    const audit = await entry(sources, context, { action: 'schedule-pause', scheduleId, note });
    // From here on no run begins, in any state of Temporal.
    await sources.store.schedules.pause(scheduleId, { sinceMs, note }, audit);
    await tellTemporal({ scheduleId, done: 'paused' }, async () =>
      (await sources.engine()).schedules.pause(scheduleId, note),
    );
    return showAgain(sources, scheduleId, context);
  });
}

function readNote(text: string): string {
  const note = text.trim();
  if (note !== '' && note.length <= NOTE_LENGTH_MAX) return note;
  throw flagInvalid('--note', `give 1 to ${NOTE_LENGTH_MAX} characters that give the reason`);
}

/** `bursar schedule resume ID`: runs begin again; those of the time between stay skipped. Sets up what Temporal lacks. */
export async function resumeSchedule(
  flags: Readonly<{ schedule: string }>,
  context: Context,
): Promise<number> {
  return withSources(context, async (sources) => {
    const found = await findSchedule(sources.store, flags.schedule);
    const { scheduleId } = found.definition;
    const engine = await sources.engine();
    if (found.record.paused === null) context.say('It was at work already.');
    const nowMs = context.clock.nowMs();
    const skipped = await noteSkipped(sources, found, nowMs);
    if (skipped > 0) {
      context.say(
        `${counted(skipped, 'run was', 'runs were')} skipped while it was paused; "bursar schedule trigger" starts one after all.`,
      );
    }
    const store = await ownStore(sources);
    // It stays paused until both agree: the store, which counts, comes last.
    await engine.schedules.put(found.definition, { nowMs, paused: false, note: '', store });
    const audit = await entry(sources, context, { action: 'schedule-resume', scheduleId });
    await sources.store.schedules.resume(scheduleId, audit);
    return showAgain(sources, scheduleId, context);
  });
}

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

type DeleteFlags = Readonly<{ schedule: string; yes?: boolean }>;

/** `bursar schedule delete ID`: no run of it begins any more. Its history stays. */
export async function deleteSchedule(flags: DeleteFlags, context: Context): Promise<number> {
  return withSources(context, async (sources) => {
    const { record } = await findEverMade(sources.store, flags.schedule);
    const { scheduleId } = record;
    // Repeated for a deleted schedule: Temporal may still have it.
    if (record.deletedAtMs === null) {
      const question = 'Nothing of this schedule will begin any more.';
      await confirmWord({ question, expected: scheduleId, ...flags }, context);
      const atMs = context.clock.nowMs();
      const audit = await entry(sources, context, { action: 'schedule-delete', scheduleId });
      await sources.store.schedules.remove(scheduleId, atMs, audit);
    }
    await tellTemporal({ scheduleId, done: 'deleted' }, async () =>
      (await sources.engine()).schedules.remove(scheduleId),
    );
    printResult(context, {
      json: { schema: 'bursar.schedule-delete/v1', scheduleId },
      text: `Schedule ${scheduleId} is deleted. A batch that is under way goes on; its runs stay in the store: bursar schedule show ${scheduleId}`,
    });
    return EXIT.done;
  });
}

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
  context: Context,
  { action, ...detail }: Readonly<{ action: string; scheduleId: string; note?: string }>,
): Promise<AuditEntry> {
  const by = actorOf(sources.settings, context);
  const actor = await unsignedActorOf(sources, { by, batchId: null });
  return { atMs: context.clock.nowMs(), batchId: null, actor, action, detail };
}

async function showAgain(sources: Sources, scheduleId: string, context: Context): Promise<number> {
  const found = await findSchedule(sources.store, scheduleId);
  printSchedule(await readSchedule(sources, found, context), context);
  return EXIT.done;
}
