import type { Client } from '@temporalio/client';
import { refuseEncrypted } from '../../codec/payload-codec.ts';
import { housekeepingWorkflowId } from '../../contract/housekeeping.ts';
import { isNotFoundByServer } from './failures.ts';

/**
 * Keeps a program without keys from writing in clear what the workers of its queue encrypt, and a worker from taking what it cannot
 * read: looks at how they wrote the summary of their housekeeping. Where that began before there were keys, nothing is noticed. Throws KEY_RING_MISSING.
 */
export async function refuseOtherKeys(client: Client, taskQueue: string): Promise<void> {
  const { namespace } = client.options;
  const execution = { workflowId: housekeepingWorkflowId(taskQueue) };
  const found = await client.workflowService
    .describeWorkflowExecution({ namespace, execution })
    .catch((error: unknown) => {
      if (isNotFoundByServer(error)) return undefined;
      throw error;
    });
  const summary = found?.executionConfig?.userMetadata?.summary;
  if (summary) refuseEncrypted(summary);
}
