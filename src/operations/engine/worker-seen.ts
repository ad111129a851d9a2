import type { Client } from '@temporalio/client';
import { housekeepingWorkflowId } from '../../contract/housekeeping.ts';
import { isBursarError } from '../../domain/errors/bursar-error.ts';
import { isNotFound } from './failures.ts';
import { WORKER_SEEN_MS_MAX } from './limits.ts';
import type { Link } from './link.ts';

/** Whether a worker answers, and when Temporal saw one last, in milliseconds since 1970; null: not in the last minutes. */
export type WorkerSeen = Readonly<{ answers: boolean; seenAtMs: number | null }>;

/** Temporal's numbers for the queues of workflow tasks, without which no batch moves, and of activities. */
export const WORKFLOW_QUEUE = 1;
export const ACTIVITY_QUEUE = 2;

/** A query that the SDK of each worker answers, for any workflow. */
const METADATA_QUERY = '__temporal_workflow_metadata';
const METADATA_MS_MAX = 2_000;

/** The workers that take work from a queue. Temporal forgets one that does not poll for some minutes. */
export async function pollersOf(client: Client, taskQueue: string, taskQueueType: number) {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType,
  });
  return (pollers ?? []).map(({ identity, lastAccessTime: at }) => ({
    identity: identity ?? '',
    seenMs: Number(at?.seconds ?? 0) * 1_000,
    nanos: at?.nanos ?? 0,
  }));
}

/** When a worker last took work from the queue. */
export async function lastSeenMs({ client, taskQueue }: Link): Promise<number | null> {
  const seen = (await pollersOf(client, taskQueue, WORKFLOW_QUEUE)).map(({ seenMs }) => seenMs);
  return seen.length === 0 ? null : Math.max(...seen);
}

/** Whether the queue had a worker a short time ago: a living worker polls at least once a minute. */
export async function hasWorker(link: Link): Promise<boolean> {
  const seenAtMs = await lastSeenMs(link);
  return seenAtMs !== null && Date.now() - seenAtMs < WORKER_SEEN_MS_MAX;
}

/** Queries the housekeeping of the queue, since the pollers of a worker that was just killed are listed for a minute. */
export async function seeWorker(link: Link): Promise<WorkerSeen> {
  const seenAtMs = await lastSeenMs(link);
  const isRecent = seenAtMs !== null && Date.now() - seenAtMs < WORKER_SEEN_MS_MAX;
  return { answers: isRecent && (await answersQuery(link)), seenAtMs };
}

async function answersQuery({ client, taskQueue }: Link): Promise<boolean> {
  const handle = client.workflow.getHandle(housekeepingWorkflowId(taskQueue));
  try {
    await client.withDeadline(Date.now() + METADATA_MS_MAX, () => handle.query(METADATA_QUERY));
    return true;
  } catch (error) {
    // A queue without housekeeping, and a result of other keys, are no sign of a missing worker.
    return isNotFound(error) || isBursarError(error);
  }
}
