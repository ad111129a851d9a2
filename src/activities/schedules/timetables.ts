import { getClient } from '@temporalio/activity';
import type { ScheduleDefinition } from '../../contract/schedule.ts';
import { renewedWorkflowId, temporalScheduleId } from '../../contract/names.ts';
import { listedInstants, specOf } from '../../contract/timetable.ts';
import { isStale, timetableOf } from '../../domain/schedule/timetable.ts';
import type { Timetables } from './deps.ts';

/** The client of the worker in which an activity runs, or another one. */
type ClientOf = typeof getClient;

/** Temporal's schedules and workflows, as activities see them. */
export const createTimetables = (clientOf: ClientOf = getClient): Timetables => ({
  sync: (definition, nowMs) => sync(clientOf, definition, nowMs),
  renewIds: (scheduleId, tag) => renewIds(clientOf, scheduleId, tag),
  isRunning: (workflowId) => isRunning(clientOf, workflowId),
});

async function sync(
  clientOf: ClientOf,
  definition: ScheduleDefinition,
  nowMs: number,
): ReturnType<Timetables['sync']> {
  const handle = clientOf().schedule.getHandle(temporalScheduleId(definition.scheduleId));
  const wanted = timetableOf(definition, nowMs);
  try {
    const { spec, state: shown } = await handle.describe();
    if (isStale(listedInstants(spec.calendars), wanted, nowMs)) {
      await handle.update(({ action, policies, state }) => ({
        action,
        policies,
        state,
        spec: specOf(wanted),
      }));
    }
    return shown.paused ? 'paused' : 'at work';
  } catch (error) {
    if (isUnknown(error, 'ScheduleNotFoundError')) return 'unknown';
    throw error;
  }
}

async function renewIds(clientOf: ClientOf, scheduleId: string, tag: string): Promise<void> {
  const workflowId = renewedWorkflowId(scheduleId, tag);
  try {
    await clientOf()
      .schedule.getHandle(temporalScheduleId(scheduleId))
      .update(({ action, policies, state, spec }) => ({
        policies,
        state,
        spec,
        action: { ...action, workflowId },
      }));
  } catch (error) {
    if (!isUnknown(error, 'ScheduleNotFoundError')) throw error;
  }
}

async function isRunning(clientOf: ClientOf, workflowId: string): Promise<boolean> {
  try {
    const { status } = await clientOf().workflow.getHandle(workflowId).describe();
    return status.name === 'RUNNING';
  } catch (error) {
    if (isUnknown(error, 'WorkflowNotFoundError')) return false;
    throw error;
  }
}

/** The classes of these errors belong to the client, which only the worker may import. */
const isUnknown = (error: unknown, name: string): boolean =>
  error instanceof Error && error.name === name;
