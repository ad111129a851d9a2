import type { WorkflowClient, WorkflowHandle } from '@temporalio/client';
import { batchWorkflowId, partitionWorkflowId } from '../../src/contract/names.ts';
import type { SentChunks } from '../../src/contract/sending.ts';

type HistoryEvent = NonNullable<
  Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']
>[number];

/** What one worker did for a batch. `chunks`: those that it sent in groups. */
export type WorkerCounts = Readonly<{ activities: number; chunks: number }>;

/** Counts what each worker did for a batch, in the histories of the batch and of its partitions. */
export async function countByWorker(
  workflow: WorkflowClient,
  batchId: string,
  partitions: number,
): Promise<readonly WorkerCounts[]> {
  const ids = Array.from({ length: partitions }, (_, n) => partitionWorkflowId(batchId, n));
  const events: HistoryEvent[] = [];
  for (const id of [batchWorkflowId(batchId), ...ids]) {
    const handle = workflow.getHandle(id);
    await handle.result();
    events.push(...((await handle.fetchHistory()).events ?? []));
  }
  return countsOf(events);
}

/** Counts the completed activities in events, by the identity of their worker. */
export function countsOf(events: readonly HistoryEvent[]): readonly WorkerCounts[] {
  const counts = new Map<string, WorkerCounts>();
  for (const { activityTaskCompletedEventAttributes: completed } of events) {
    if (!completed) continue;
    const worker = completed.identity ?? '';
    const { activities, chunks } = counts.get(worker) ?? { activities: 0, chunks: 0 };
    const sent = sentBy(completed.result?.payloads?.[0]?.data);
    counts.set(worker, { activities: activities + 1, chunks: chunks + sent });
  }
  return [...counts.values()];
}

/** Chunks that a group has created; 0 for the result of any other activity. */
function sentBy(data: Uint8Array | null | undefined): number {
  if (!data) return 0;
  const text = Buffer.from(data).toString('utf8');
  if (!text.startsWith('{"created":[')) return 0;
  // oxlint-disable-next-line no-unsafe-type-assertion
  return (JSON.parse(text) as SentChunks).created.length;
}
