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

/** Counts workflow tasks in the histories of batches that have ended. Waits until their workflows have closed. */
export async function countTasks(
  workflow: WorkflowClient,
  batchIds: readonly string[],
): Promise<TaskCounts> {
  const counts = { completed: 0, timedOut: 0, leftWorker: 0 };
  for (const batchId of batchIds) {
    const batch = workflow.getHandle(batchWorkflowId(batchId));
    await batch.result();
    for (const handle of [batch, workflow.getHandle(partitionWorkflowId(batchId, 0))]) {
      addTasks(counts, (await handle.fetchHistory()).events ?? []);
    }
  }
  return counts;
}

type HistoryEvents = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>;

type Writable = { -readonly [Count in keyof TaskCounts]: number };

function addTasks(counts: Writable, events: HistoryEvents): void {
  for (const event of events) {
    const timeout = event.workflowTaskTimedOutEventAttributes?.timeoutType;
    if (event.workflowTaskCompletedEventAttributes) counts.completed += 1;
    if (timeout === START_TO_CLOSE) counts.timedOut += 1;
    if (timeout === SCHEDULE_TO_START) counts.leftWorker += 1;
  }
}
