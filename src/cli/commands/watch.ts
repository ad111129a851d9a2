import { follow, printStanding } from '../follow/follow.ts';
import { withSources, withSourcesToRead } from '../../operations/batch/sources.ts';
import type { Context } from '../context.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { readDurationMs } from '../../operations/input/duration.ts';
import { EXIT } from '../../domain/errors/exit-codes.ts';
import { readSnapshot } from '../../operations/batch/standing.ts';

type WatchFlags = Readonly<{ batch: string; timeout?: string }>;

/** `bursar watch BATCH`: follows a batch that is under way, and ends as `bursar submit --wait` would. */
export async function watch(flags: WatchFlags, context: Context): Promise<number> {
  const batchId = readBatchId(flags.batch);
  const timeoutMs = flags.timeout === undefined ? null : readDurationMs('--timeout', flags.timeout);
  return withSources(context, (sources) => follow(sources, { batchId, timeoutMs }, context));
}

/** `bursar status BATCH`: its present state. Returns 0 in every state: the command did its work. */
export async function status(
  flags: Readonly<{ batch: string }>,
  context: Context,
): Promise<number> {
  const batchId = readBatchId(flags.batch);
  return withSourcesToRead(context, async (sources) => {
    const standing = await readSnapshot(sources, batchId);
    printStanding(standing, context);
    return EXIT.done;
  });
}
