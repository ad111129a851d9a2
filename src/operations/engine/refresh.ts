import { type Client, WithStartWorkflowOperation } from '@temporalio/client';
import { type AftercareInput, aftercareStart, type Refreshed } from '../../contract/aftercare.ts';
import { UPDATE_REFRESH, WORKFLOW_AFTERCARE } from '../../contract/names.ts';
import { BursarError, type ErrorNote } from '../../domain/errors/bursar-error.ts';
import { isDown, refusalOf, unreachable } from './failures.ts';

/** How long a command waits for a recheck of a batch, in milliseconds. */
const REFRESH_MS_MAX = 60_000;

type Aftercare = (input: AftercareInput) => Promise<void>;

/** How long a workflow that only ran for one recheck waits for the next one, in milliseconds. */
const NEXT_LOOK_MS = 300_000;

export type RefreshLink = Readonly<{
  client: Client;
  address: string;
  taskQueue: string;
  hasWorker(): Promise<boolean>;
}>;

/** Has the workflow that follows an ended batch recheck it at once. Starts that workflow where none runs. */
export async function refreshEnds(
  { client, address, taskQueue, hasWorker }: RefreshLink,
  batchId: string,
): Promise<Refreshed | ErrorNote | undefined> {
  const input: AftercareInput = { batchId, delayMs: NEXT_LOOK_MS };
  const startWorkflowOperation = new WithStartWorkflowOperation<Aftercare>(WORKFLOW_AFTERCARE, {
    ...aftercareStart(input),
    taskQueue,
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  // No other code waits for the result of the start.
  startWorkflowOperation.workflowHandle().catch(() => undefined);
  try {
    return await client.withDeadline(Date.now() + REFRESH_MS_MAX, () =>
      client.workflow.executeUpdateWithStart<Aftercare, Refreshed, []>(UPDATE_REFRESH, {
        args: [],
        startWorkflowOperation,
      }),
    );
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal !== undefined) return refusal;
    if (isDown(error)) throw unreachable(address, error);
    if (await hasWorker()) return undefined;
    throw new BursarError('WORKER_SILENT', { taskQueue }, { cause: error });
  }
}
