import type { Settings } from '../../config.ts';
import type { ScheduleDefinition } from '../../contract/schedule.ts';
import { nextRuns } from '../../domain/schedule/runs.ts';
import type { Timing } from '../../domain/schedule/timing.ts';
import { runLines, type RunSettings, scheduleLines } from './schedule-text.ts';
import { choicesView, runView, timingView } from '../../operations/schedule/views.ts';

/** Runs that a preview shows by default. */
export const PREVIEW_RUNS = 10;

export type PreviewOptions = Readonly<{ afterMs: number; count: number; settings: RunSettings }>;

/** The settings that a preview shows. */
export const runSettings = ({ schedule, rules }: Settings): RunSettings => ({
  folder: schedule.folder,
  approval: rules.approval,
});

/** A schedule, for programs and for people: its rules, and its next runs. */
export function previewOf(
  timing: Timing | ScheduleDefinition,
  { afterMs, count, settings }: PreviewOptions,
): Readonly<{ json: object; text: string }> {
  const runs = nextRuns(timing, afterMs, count).map((run) => runView(timing, run));
  return {
    json: {
      schema: 'bursar.schedule-preview/v1',
      ...timingView(timing),
      ...('file' in timing ? choicesView(timing) : {}),
      runs,
    },
    text: [
      `Schedule ${timing.scheduleId}`,
      ...scheduleLines(timing, settings),
      '',
      ...runLines(runs, timing.leadMs),
    ].join('\n'),
  };
}
