import type { Context } from '../context.ts';
import { type ActFlags, actOnBatch } from './act-on-batch.ts';

/** `bursar pause BATCH`: creates no mass payouts until it is resumed. What was sent is followed all the same. */
export const pause = (flags: ActFlags, context: Context): Promise<number> =>
  actOnBatch(
    {
      schema: 'bursar.pause/v1',
      ask: (engine, batchId, act) => engine.pause(batchId, act),
      done: (batchId) =>
        `Batch ${batchId} is paused: nothing more of it is sent; what was sent is followed to its end.\n` +
        `Go on with: bursar resume ${batchId} --reason ...`,
    },
    flags,
    context,
  );
