import type { Context } from '../context.ts';
import { type ActFlags, actOnBatch } from './act-on-batch.ts';

/** `bursar cancel BATCH`: nothing more of it is sent. What was sent is settled and reported. */
export const cancel = (flags: ActFlags, context: Context): Promise<number> =>
  actOnBatch(
    {
      schema: 'bursar.cancel/v1',
      ask: async ({ engine, batchId, act }) => ({
        refusal: await engine.cancel(batchId, act),
        text:
          `Batch ${batchId} is stopped: nothing more of it is sent, and what was sent is settled and reported.\n` +
          `Follow it with: bursar watch ${batchId}`,
      }),
    },
    flags,
    context,
  );
