import { activityInfo } from '@temporalio/activity';
import type { ScheduleActivities } from '../../contract/schedule.ts';
import { atBoundary, orRefused } from '../shared/boundary.ts';
import { claimRuns } from './claim-runs.ts';
import type { ScheduleDeps } from './deps.ts';
import { endRun, findBatch } from './end-run.ts';
import { findSchedule } from './find-schedule.ts';
import { takeFile } from './take-file.ts';

/**
 * Carries out the runs of schedules: each at most once, each with a file, and with a notification for each failed one.
 */
export const createScheduleActivities = (deps: ScheduleDeps): ScheduleActivities => ({
  claimRuns: (input) => orRefused(() => claimRuns(deps, input, execution())),
  takeFile: (input) => orRefused(() => takeFile(deps, input, execution())),
  findBatch: (run) => atBoundary(() => findBatch(deps, run)),
  endRun: (input) => atBoundary(() => endRun(deps, input, execution())),
  listRuns: ({ scheduleId }) =>
    atBoundary(async () => {
      const { definition } = await findSchedule(deps, scheduleId);
      await deps.timetables.sync(definition, deps.nowMs());
    }),
});

/** Activities of schedules are always a workflow's. */
function execution(): Readonly<{ workflowId: string; runId: string }> {
  const { workflowExecution } = activityInfo();
  if (workflowExecution === undefined) throw new Error('this activity has no workflow');
  return workflowExecution;
}
