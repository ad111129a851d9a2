import type { ScheduleDefinition } from '../../contract/schedule.ts';
import { patternOf } from '../../domain/schedule/file-pattern.ts';
import { batchIdOf } from '../../domain/schedule/names.ts';
import type { RunRecord, RunState } from '../../domain/schedule/run-state.ts';
import type { Mark, Run, Timing } from '../../domain/schedule/timing.ts';
import { isoOf, localText, WEEKDAYS } from '../../domain/schedule/zone.ts';

/** One run as programs read it. Instants are ISO 8601 in UTC; `local` is the time in the zone of the schedule. */
export type RunView = Readonly<{
  run: string;
  dueAt: string;
  local: string;
  /** When its file is taken. */
  beginsAt: string;
  /** After this it is missed. */
  latestBegin: string;
  /** The last moment at which an approval is in time; null: without a lead there is none before it is due. */
  approveUntil: string | null;
  batchId: string;
  /** Its file, if it is known before the run; null in a preview without --file. */
  file: string | null;
  marks: readonly Mark[];
  /** Its state; null: it lies ahead. */
  state: RunState | null;
  detail: string | null;
}>;

type Ruled = Timing & Readonly<{ file?: ScheduleDefinition['file'] }>;

/** The past of a run, as far as it is shown. A run that Temporal refused has no record. */
type ShownPast = Readonly<{ state: RunState; detail: string | null; fileName: string | null }> &
  Partial<RunRecord>;

export const runView = (timing: Ruled, run: Run, record?: ShownPast): RunView => ({
  run: run.nominal,
  dueAt: isoOf(run.dueAtMs),
  local: localText(run.dueAtMs, timing.timezone),
  beginsAt: isoOf(run.startAtMs),
  latestBegin: isoOf(run.latestStartMs),
  approveUntil: timing.leadMs === 0 ? null : isoOf(run.dueAtMs),
  batchId: record?.batchId ?? batchIdOf(timing, run.nominal, record?.rejected),
  file:
    record?.fileName ??
    (timing.file === undefined ? null : patternOf(timing.file.pattern, run.nominal)),
  marks: run.marks,
  state: record?.state ?? null,
  detail: record?.detail ?? null,
});

/** When a schedule runs, as programs read it. Durations are milliseconds. */
export const timingView = (timing: Timing) => ({
  scheduleId: timing.scheduleId,
  rule: timing.rule,
  cron: timing.cron,
  timezone: timing.timezone,
  shift: timing.shift,
  weekend: timing.weekend.map((day): string => WEEKDAYS[day - 1] ?? ''),
  holidays:
    timing.holidays === null
      ? null
      : {
          file: timing.holidays.file,
          sha256: timing.holidays.sha256,
          days: timing.holidays.days.length,
          last: timing.holidays.days.at(-1)?.date ?? null,
        },
  leadMs: timing.leadMs,
  catchUpMs: timing.catchUpMs,
});

/** The options of each batch of a schedule that its creator chose. */
export const choicesView = ({ file, options }: ScheduleDefinition) => ({
  file: file.pattern,
  allowUnchanged: file.allowUnchanged,
  currency: options.currency,
  skipInvalid: options.skipInvalid,
  expectCount: options.expectCount,
  expectTotals: options.expectTotals,
  accept: options.accept,
  fundsWaitMs: options.fundsWaitMs,
  canaryRows: options.canaryRows,
  stopLoss: options.stopLoss,
});
