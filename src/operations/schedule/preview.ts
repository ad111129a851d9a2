import type { Settings } from '../../config.ts';
import type { ScheduleDefinition } from '../../contract/schedule.ts';
import { policyAheadText } from '../../domain/approval/policy-text.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { nextRuns } from '../../domain/schedule/runs.ts';
import type { Timing } from '../../domain/schedule/timing.ts';
import { loadSettings, withSources } from '../batch/sources.ts';
import type { OperationContext } from '../context.ts';
import { readLocalDate } from '../input/local-date.ts';
import { defineSchedule, defineTiming, type DraftWish } from './define.ts';
import { findSchedule } from './find.ts';
import { choicesView, type RunView, runView, timingView } from './views.ts';

/** Runs that a preview shows by default. */
export const PREVIEW_RUNS = 10;

/** Runs that are shown at most. */
export const PREVIEW_RUNS_MAX = 400;

/** The name of a schedule that has no name yet. */
const UNNAMED = 'preview';

/**
 * `definition`: missing: that of the schedule of this id. `from`: a date in the zone of the schedule, from which on runs are
 * shown; missing: from now on.
 */
export type PreviewWish = Readonly<{
  scheduleId?: string;
  definition?: DraftWish;
  count: number;
  from?: string;
}>;

/** A schedule and its next runs. One that has only times pays nothing yet, and lacks the fields of its choices. */
export type SchedulePreview = Readonly<{ schema: 'bursar.schedule-preview/v1' }> &
  ReturnType<typeof timingView> &
  Partial<PayingView> &
  Readonly<{ runs: readonly RunView[] }>;

/** What each run pays. `folder` and `approval`: by the settings here; the workers have their own. */
type PayingView = ReturnType<typeof choicesView> &
  Readonly<{ folder: string; approval: readonly string[] }>;

/** The next runs of a schedule, or of one that would be made. Opens the store for a known schedule alone. */
export async function previewSchedule(
  { scheduleId, definition, count, from }: PreviewWish,
  context: OperationContext,
): Promise<SchedulePreview> {
  const settings = await loadSettings(context);
  const nowMs = context.clock.nowMs();
  const timing =
    definition === undefined
      ? await definitionOf(scheduleId, context)
      : draftOf(scheduleId ?? UNNAMED, definition, { settings, nowMs });
  const afterMs = from === undefined ? nowMs : readLocalDate('from', from, timing.timezone) - 1;
  return previewOf(timing, { afterMs, count, settings });
}

async function definitionOf(
  scheduleId: string | undefined,
  context: OperationContext,
): Promise<ScheduleDefinition> {
  if (scheduleId === undefined) {
    throw new BursarError('REQUEST_UNUSABLE', { problems: 'definition: is missing' });
  }
  return withSources(context, async ({ store }) => {
    const { definition } = await findSchedule(store, scheduleId);
    return definition;
  });
}

function draftOf(
  scheduleId: string,
  { file, ...draft }: DraftWish,
  place: Readonly<{ settings: Settings; nowMs: number }>,
): Timing | ScheduleDefinition {
  return file === undefined
    ? defineTiming(scheduleId, draft, place)
    : defineSchedule(scheduleId, { ...draft, file }, place);
}

type Shown = Readonly<{ afterMs: number; count: number; settings: Settings }>;

/** A schedule and its runs after an instant. */
export const previewOf = (
  timing: Timing | ScheduleDefinition,
  { afterMs, count, settings: { schedule, rules } }: Shown,
): SchedulePreview => ({
  schema: 'bursar.schedule-preview/v1',
  ...timingView(timing),
  ...('file' in timing && {
    ...choicesView(timing),
    folder: schedule.folder,
    approval: policyAheadText(rules.approval),
  }),
  runs: nextRuns(timing, afterMs, count).map((run) => runView(timing, run)),
});
