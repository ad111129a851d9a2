import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowStartOptions,
} from '@temporalio/client';

/** Temporal, and the queue that our workers listen to. */
export type Link = Readonly<{
  client: Client;
  taskQueue: string;
  /** Runs a call with a deadline; what Temporal does not answer in time is TEMPORAL_UNREACHABLE. */
  inTime<Result>(call: () => Promise<Result>): Promise<Result>;
}>;

/** `exists`: another workflow with this id runs, or it ran and must stay the only one. */
export type Started = 'started' | 'exists';

/**
 * The texts that the web page of a workflow shows beside its id. They hold no addresses: these texts are not encrypted.
 */
export type About = Readonly<{ summary: string; details: string }>;

/** Starts a workflow for our workers, unless one under its id forbids it. */
export async function startUnlessThere(
  { client, inTime }: Link,
  workflowType: string,
  options: WorkflowStartOptions,
): Promise<Started> {
  try {
    await inTime(() =>
      client.workflow.start(workflowType, { ...options, workflowIdConflictPolicy: 'FAIL' }),
    );
    return 'started';
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return 'exists';
    throw error;
  }
}
