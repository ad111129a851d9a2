import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { log, startChild } from '@temporalio/workflow';
import { aftercareStart } from '../contract/aftercare.ts';
import type { BatchInput } from '../contract/batch.ts';
import { endsToFollow } from './shared/activities.ts';
import { aftercare } from './aftercare.ts';

/**
 * Starts the aftercare of a batch that is over, and of the batches that it is a resend of, where there is anything to follow.
 * They go on by themselves. What goes wrong here must not take the end of a batch back.
 */
export async function startAftercare({ batchId, store }: BatchInput): Promise<void> {
  try {
    for (const input of await endsToFollow({ batchId })) {
      await startOne(store === undefined ? input : { ...input, store });
    }
  } catch (error) {
    log.error('the ends of this batch are not followed', { cause: String(error) });
  }
}

async function startOne(input: Parameters<typeof aftercare>[0]): Promise<void> {
  try {
    await startChild(aftercare, {
      ...aftercareStart(input),
      parentClosePolicy: 'ABANDON',
    });
  } catch (error) {
    // It runs already.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
