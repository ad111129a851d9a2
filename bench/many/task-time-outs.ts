import type { WorkflowClient, WorkflowHandle } from '@temporalio/client';
import { batchWorkflowId, partitionWorkflowId } from '../../src/contract/names.ts';

/** Workflow tasks of batches and of their first partitions. */
export type TaskCounts = Readonly<{
  /** Tasks that a worker completed. */
  completed: number;
  /** Tasks that a worker took and did not complete in time. */
  timedOut: number;
  /** Tasks that waited too long for the worker that had the workflow in its memory, and went to any worker. */
  leftWorker: number;
}>;

/** Numbers of Temporal's API for the time-outs of a workflow task. */
const [START_TO_CLOSE, SCHEDULE_TO_START] = [1, 2];

/** Counts workflow tasks in the histories of batches. Waits until their workflows have closed. */
export async function countTasks(
  workflow: WorkflowClient,
  batchIds: readonly string[],
): Promise<TaskCounts> {
  const events: HistoryEvent[] = [];
  for (const batchId of batchIds) {
    const batch = workflow.getHandle(batchWorkflowId(batchId));
    await batch.result();
    for (const handle of [batch, workflow.getHandle(partitionWorkflowId(batchId, 0))]) {
      events.push(...((await handle.fetchHistory()).events ?? []));
    }
  }
  return tasksOf(events);
}

type HistoryEvent = NonNullable<
  Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']
>[number];

/** Counts the workflow tasks in events of histories. */
export function tasksOf(events: readonly HistoryEvent[]): TaskCounts {
  const timeOuts = events.map(({ workflowTaskTimedOutEventAttributes: timedOut }) =>
    Number(timedOut?.timeoutType),
  );
  return {
    completed: events.filter((event) => event.workflowTaskCompletedEventAttributes).length,
    timedOut: timeOuts.filter((type) => type === START_TO_CLOSE).length,
    leftWorker: timeOuts.filter((type) => type === SCHEDULE_TO_START).length,
  };
}
