import type { Client } from '@temporalio/client';
import { refuseEncrypted } from '../../codec/payload-codec.ts';
import { housekeepingWorkflowId } from '../../contract/housekeeping.ts';
import { isNotFoundByServer } from './failures.ts';

/**
 * Compares the encryption of this program with that of the workers of its queue, by the summary of their housekeeping.
 * So a program without keys does not write in clear, and a worker does not take payloads that it cannot read.
 * Housekeeping that began before there were keys shows no difference. Throws KEY_RING_MISSING.
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
