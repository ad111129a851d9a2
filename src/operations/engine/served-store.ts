import type { Client } from '@temporalio/client';
import {
  type HousekeepingInput,
  housekeepingWorkflowId,
  WORKFLOW_HOUSEKEEPING,
} from '../../contract/housekeeping.ts';
import { MEMO_STORE, storeOfWorker } from '../../contract/store.ts';
import { readStoreRef, type StoreRef } from '../../domain/store/identity.ts';
import { isNotFound } from './failures.ts';
import { pollersOf, WORKFLOW_QUEUE } from './worker-seen.ts';

/**
 * The store that the workers of a task queue use, as housekeeping keeps it. Undefined while there is no housekeeping, and
 * where only older workers ran it.
 */
export async function servedStore(
  client: Client,
  taskQueue: string,
): Promise<StoreRef | undefined> {
  try {
    const handle = client.workflow.getHandle(housekeepingWorkflowId(taskQueue));
    const { memo, status } = await handle.describe();
    return status.name === 'RUNNING' ? readStoreRef(memo?.[MEMO_STORE]) : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/**
 * Starts housekeeping, which keeps the store of a task queue. `USE_EXISTING` leaves the store of one that runs.
 * `TERMINATE_EXISTING` puts this store in its place.
 */
export async function startHousekeeping(
  client: Client,
  { taskQueue, store }: Readonly<{ taskQueue: string; store: StoreRef }>,
  ifRunning: 'USE_EXISTING' | 'TERMINATE_EXISTING',
): Promise<void> {
  await client.workflow.start(WORKFLOW_HOUSEKEEPING, {
    workflowId: housekeepingWorkflowId(taskQueue),
    taskQueue,
    args: [{ store } satisfies HousekeepingInput],
    memo: { [MEMO_STORE]: store },
    workflowIdConflictPolicy: ifRunning,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    staticSummary: 'health checks of webhooks, schedules and notifications',
  });
}

/** Ids of the stores of workers that polled since a moment, in milliseconds since 1970. */
export async function storesOfWorkers(
  client: Client,
  taskQueue: string,
  sinceMs: number,
): Promise<string[]> {
  return (await pollersOf(client, taskQueue, WORKFLOW_QUEUE))
    .filter(({ seenMs, nanos }) => seenMs + nanos / 1_000_000 > sinceMs)
    .flatMap(({ identity }) => storeOfWorker(identity) ?? []);
}
