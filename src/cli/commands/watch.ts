import { follow } from '../follow/follow.ts';
import { withSources } from '../../operations/batch/sources.ts';
import type { Context } from '../context.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';
import { readDurationMs } from '../../operations/input/duration.ts';

type WatchFlags = Readonly<{ batch: string; timeout?: string }>;

/** `bursar watch BATCH`: follows a batch that is under way, and ends as `bursar submit --wait` would. */
export async function watch(flags: WatchFlags, context: Context): Promise<number> {
  const batchId = readBatchId(flags.batch);
  const timeoutMs = flags.timeout === undefined ? null : readDurationMs('--timeout', flags.timeout);
  return withSources(context, (sources) => follow(sources, { batchId, timeoutMs }, context));
}
