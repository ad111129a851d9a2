import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';
import type { BatchDesk } from './batch-desk.ts';

/** Asks the service something, unless the batch is stopped first: then the question is dropped. */
export async function unlessStopped<Result>(
  desk: BatchDesk,
  ask: () => Promise<Result>,
): Promise<Result | undefined> {
  const scope = new CancellationScope();
  let ended = false;
  void condition(() => ended || desk.stopReason() !== null).then(() => {
    if (!ended) scope.cancel();
  });
  try {
    return await scope.run(ask);
  } catch (error) {
    if (isCancellation(error) && desk.stopReason() !== null) return undefined;
    throw error;
  } finally {
    ended = true;
  }
}
