import { randomUUID } from 'node:crypto';
import { type AftercareInput, aftercareStart } from '../../contract/aftercare.ts';
import type { BatchInput } from '../../contract/batch.ts';
import { batchWorkflowId, WORKFLOW_AFTERCARE, WORKFLOW_BATCH } from '../../contract/names.ts';
import { type About, type Link, type Started, startUnlessThere } from './link.ts';
import { startBatch } from './start-batch.ts';

/** Temporal, as recovery uses it. Every call throws TEMPORAL_UNREACHABLE when Temporal does not answer. */
export type RecoveryEngine = Readonly<{
  /** Starts a batch whose workflow Temporal forgot, or that was ended by force; never one that runs or came to its own end. */
  startAgain(input: BatchInput, about: About): Promise<Started>;
  /**
   * Resets the workflow of a batch to its first task and keeps its signals. Returns false when it had not begun yet.
   */
  beginAnew(batchId: string, reason: string): Promise<boolean>;
  /** The batches of the task queue of which Temporal has a workflow, however it stands. */
  batchIds(): Promise<string[]>;
  /** Follows a batch that is over, unless that is done already. */
  followEnds(input: AftercareInput): Promise<Started>;
}>;

type Guarded = <Result>(call: () => Promise<Result>) => Promise<Result>;

/** `guarded`: turns what goes wrong with Temporal into words, and lets nothing be written in clear that others encrypt. */
export const createRecoveryEngine = (link: Link, guarded: Guarded): RecoveryEngine => ({
  startAgain: (input, about) => guarded(() => startBatch(link, { input, about }, 'after-force')),
  beginAnew: (batchId, reason) => guarded(() => link.inTime(() => reset(link, batchId, reason))),
  batchIds: () => guarded(() => link.inTime(() => listBatches(link))),
  followEnds: (input) =>
    guarded(() =>
      startUnlessThere(link, WORKFLOW_AFTERCARE, {
        ...aftercareStart(input),
        taskQueue: link.taskQueue,
      }),
    ),
});

/** Signals and updates that the workflow was sent are sent to the new run as well. */
async function reset({ client }: Link, batchId: string, reason: string): Promise<boolean> {
  const handle = client.workflow.getHandle(batchWorkflowId(batchId));
  const { runId } = await handle.describe();
  const { events } = await handle.fetchHistory();
  const begun = events?.find((event) => event.workflowTaskCompletedEventAttributes);
  if (!begun?.eventId) return false;
  await client.workflowService.resetWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId: batchWorkflowId(batchId), runId },
    reason,
    requestId: randomUUID(),
    workflowTaskFinishEventId: begun.eventId,
  });
  return true;
}

/** Other task queues of the namespace have stores of their own. */
async function listBatches({ client, taskQueue }: Link): Promise<string[]> {
  const queue = taskQueue.replaceAll("'", "''");
  const query = `WorkflowType = '${WORKFLOW_BATCH}' AND TaskQueue = '${queue}'`;
  const prefix = batchWorkflowId('');
  const found = new Set<string>();
  for await (const { workflowId } of client.workflow.list({ query })) {
    found.add(workflowId.slice(prefix.length));
  }
  return [...found];
}
