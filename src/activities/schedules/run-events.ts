import type { ScheduleDefinition } from '../../contract/schedule.ts';
import type { AuditEntry } from '../../domain/audit/chain.ts';
import { type ErrorNote, noteOf } from '../../domain/errors/bursar-error.ts';
import { patternOf } from '../../domain/schedule/file-pattern.ts';
import type { Run } from '../../domain/schedule/timing.ts';
import { isoOf, localText } from '../../domain/schedule/zone.ts';
import type { ScheduleNews } from './deps.ts';

/** As whom a schedule acts in the audit log. */
export const scheduleActor = (scheduleId: string): string => `schedule/${scheduleId}`;

type AboutRun = Readonly<{
  definition: ScheduleDefinition;
  run: Pick<Run, 'nominal' | 'dueAtMs'>;
}>;

export const missedNote = ({ definition, run }: AboutRun, reason: string): ErrorNote =>
  noteOf('SCHEDULE_RUN_MISSED', {
    scheduleId: definition.scheduleId,
    nominal: run.nominal,
    reason,
  });

/** A missed run is notified once, by any number of workers that find it. */
export const missedNews = (about: AboutRun, reason: string): ScheduleNews => ({
  event: 'schedule.missed',
  batchId: null,
  key: `${about.definition.scheduleId}/${about.run.nominal}`,
  data: dataOf(about, missedNote(about, reason)),
});

/** A run can fail again each time that a person starts it again. */
export const failedNews = (
  about: AboutRun,
  {
    error,
    attempt,
    batchId,
  }: Readonly<{ error: ErrorNote; attempt: string; batchId: string | null }>,
): ScheduleNews => ({
  event: 'schedule.failed',
  batchId,
  key: `${about.definition.scheduleId}/${about.run.nominal}/${attempt}`,
  data: dataOf(about, error),
});

function dataOf({ definition, run }: AboutRun, error: ErrorNote): ScheduleNews['data'] {
  const { scheduleId, timezone, file } = definition;
  return {
    scheduleId,
    run: run.nominal,
    dueAt: isoOf(run.dueAtMs),
    due: `${localText(run.dueAtMs, timezone)} ${timezone}`,
    file: patternOf(file.pattern, run.nominal),
    code: error.code,
    what: error.what,
    why: error.why,
    fix: error.fix,
  };
}

export const runEntry = (
  { definition, run }: AboutRun,
  entry: Readonly<{
    atMs: number;
    actor: string;
    action: string;
    batchId?: string | null;
    detail?: Readonly<Record<string, unknown>>;
  }>,
): AuditEntry => ({
  atMs: entry.atMs,
  batchId: entry.batchId ?? null,
  actor: entry.actor,
  action: entry.action,
  detail: { scheduleId: definition.scheduleId, run: run.nominal, ...entry.detail },
});
