import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';
import { type BatchRun, stopReason } from './batch-run.ts';

/** Runs a read of the service. Returns undefined when the batch is stopped first: then the read is dropped. */
export async function unlessStopped<Result>(
  run: BatchRun,
  ask: () => Promise<Result>,
): Promise<Result | undefined> {
  const scope = new CancellationScope();
  let ended = false;
  void condition(() => ended || stopReason(run) !== null).then(() => {
    if (!ended) scope.cancel();
  });
  try {
    return await scope.run(ask);
  } catch (error) {
    if (isCancellation(error) && stopReason(run) !== null) return undefined;
    throw error;
  } finally {
    ended = true;
  }
}
