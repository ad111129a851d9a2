import { showBatch } from '../../app/batches/look.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { readDurationMs } from '../../operations/input/duration.ts';
import type { Context } from '../context.ts';
import { follow, printStanding } from '../follow/follow.ts';
import { perform } from '../perform.ts';
import { sayPlace } from '../place-line.ts';

type WatchFlags = Readonly<{ batch: string; timeout?: string }>;

/** `bursar watch BATCH`: follows a batch that is under way, and ends as `bursar submit --wait` would. */
export async function watch({ batch, timeout }: WatchFlags, context: Context): Promise<number> {
  const timeoutMs = timeout === undefined ? null : readDurationMs('--timeout', timeout);
  return follow({ batchId: readBatchId(batch), timeoutMs }, context);
}

/** `bursar status BATCH`: its present state. Returns 0 in every state: the command did its work. */
export async function status(
  { batch }: Readonly<{ batch: string }>,
  context: Context,
): Promise<number> {
  const batchId = readBatchId(batch);
  await sayPlace(context);
  printStanding(await perform(showBatch, { batchId }, context), context);
  return EXIT.done;
}
