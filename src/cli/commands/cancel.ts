import type { Context } from '../context.ts';
import { type ActFlags, actOnBatch } from './act-on-batch.ts';
import { endedNote, type StopCommand, stopAct } from './stop-batch.ts';

/** `bursar cancel BATCH`: nothing more of it is sent. The sent part is settled and reported. Needs no worker. */
export const cancel = (flags: ActFlags, context: Context): Promise<number> =>
  actOnBatch(stopAct(CANCEL, context), flags, context);

const CANCEL: StopCommand = {
  schema: 'bursar.cancel/v1',
  refusal: endedNote,
  async write(store, { batchId, by, reason, policy, atMs }) {
    await store.batches.cancel(batchId, { by, reason, policy }, atMs);
    return null;
  },
  update: (engine, batchId, act) => engine.cancel(batchId, act),
  endState: 'CANCELED',
  text: (batchId) => [
    `Batch ${batchId} is stopped: nothing more of it is sent, and what was sent is settled and reported.`,
    `Follow it with: bursar watch ${batchId}`,
  ],
  silentText: 'The next worker sends nothing more of the batch, and settles and reports it.',
};
