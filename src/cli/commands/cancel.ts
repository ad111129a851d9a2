import { BursarError } from '../../domain/errors/bursar-error.ts';
import { EXIT, exitCodeOfError } from '../../domain/errors/exit-codes.ts';
import { actorOf } from '../batch/actor.ts';
import { withSources } from '../batch/sources.ts';
import type { Context } from '../context.ts';
import { readBatchId } from '../flags/batch-id.ts';
import { readReason } from '../flags/reason.ts';
import { printError } from '../print/error.ts';
import { printResult } from '../print/output.ts';

export type CancelFlags = Readonly<{ batch: string; reason: string }>;

/** `bursar cancel BATCH`: nothing more of it is sent. What was sent is settled and reported. */
export async function cancel(flags: CancelFlags, context: Context): Promise<number> {
  const batchId = readBatchId(flags.batch);
  const reason = readReason(flags.reason);
  return withSources(context, async ({ settings, store, engine: openEngine }) => {
    const act = { by: actorOf(settings, context), reason };
    const record = await store.batches.find(batchId);
    if (record !== undefined && record.endState !== null) throw ended(batchId, record.endState);
    const engine = await openEngine();
    const execution = await engine.describe(batchId);
    if (execution === undefined) throw new BursarError('BATCH_NOT_FOUND', { batchId });
    if (execution.status !== 'RUNNING') throw ended(batchId, execution.status);
    const refusal = await engine.cancel(batchId, act);
    if (refusal !== null) {
      printError(context, refusal);
      return exitCodeOfError(refusal);
    }
    printResult(context, {
      json: { schema: 'bursar.cancel/v1', batchId, ...act },
      text:
        `Batch ${batchId} is stopped: nothing more of it is sent, and what was sent is settled and reported.\n` +
        `Follow it with: bursar watch ${batchId}`,
    });
    return EXIT.done;
  });
}

const ended = (batchId: string, state: string): BursarError =>
  new BursarError('BATCH_ENDED', { batchId, state });
