import { EXIT } from '../../domain/errors/exit-codes.ts';
import { printStanding } from '../follow/follow.ts';
import { withSources } from '../../operations/batch/sources.ts';
import { readSnapshot } from '../../operations/batch/standing.ts';
import type { Context } from '../context.ts';
import { readBatchId } from '../../domain/batch/batch-id.ts';

/** `bursar status BATCH`: its present state. Returns 0 in every state: the command did its work. */
export async function status(
  flags: Readonly<{ batch: string }>,
  context: Context,
): Promise<number> {
  const batchId = readBatchId(flags.batch);
  return withSources(context, async (sources) => {
    const standing = await readSnapshot(sources, batchId);
    printStanding(standing, context);
    return EXIT.done;
  });
}
