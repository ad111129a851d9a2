import type { ScheduleDefinition } from '../../contract/schedule.ts';
import { nextRuns } from '../../domain/schedule/runs.ts';
import type { Timing } from '../../domain/schedule/timing.ts';
import { runLines, scheduleLines } from '../print/schedule-text.ts';
import { choicesView, runView, timingView } from './views.ts';

/** Runs that a preview shows unless it is told otherwise. */
export const PREVIEW_RUNS = 10;

export type PreviewOptions = Readonly<{ afterMs: number; count: number; folder: string }>;

/** What a schedule will do, for programs and for people: its rules, and its next runs. */
export function previewOf(
  timing: Timing | ScheduleDefinition,
  { afterMs, count, folder }: PreviewOptions,
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
      ...scheduleLines(timing, folder),
      '',
      ...runLines(runs, timing),
    ].join('\n'),
  };
}
