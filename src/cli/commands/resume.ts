import type { Context } from '../context.ts';
import { type ActFlags, actOnBatch } from './act-on-batch.ts';

/** `bursar resume BATCH`: takes a pause off, or what a rule held it for. */
export const resume = (flags: ActFlags, context: Context): Promise<number> =>
  actOnBatch(
    {
      schema: 'bursar.resume/v1',
      ask: (engine, batchId, act) => engine.resume(batchId, act),
      done: (batchId) =>
        `Batch ${batchId} goes on, unless something else holds it.\n` +
        `Follow it with: bursar watch ${batchId}`,
    },
    flags,
    context,
  );
