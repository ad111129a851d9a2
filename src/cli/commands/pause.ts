import type { Context } from '../context.ts';
import { type ActFlags, actOnBatch } from './act-on-batch.ts';

/** `bursar pause BATCH`: creates no mass payouts until it is resumed. What was sent is followed all the same. */
export const pause = (flags: ActFlags, context: Context): Promise<number> =>
  actOnBatch(
    {
      schema: 'bursar.pause/v1',
      ask: async ({ engine, batchId, act }) => ({
        refusal: await engine.pause(batchId, act),
        text:
          `Batch ${batchId} is paused: nothing more of it is sent; what was sent is followed to its end.\n` +
          `Go on with: bursar resume ${batchId} --reason ...`,
      }),
    },
    flags,
    context,
  );
