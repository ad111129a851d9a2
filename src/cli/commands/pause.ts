import { canceledReason } from '../../domain/batch/stop-reason.ts';
import { noteOf } from '../../domain/errors/bursar-error.ts';
import type { Context } from '../context.ts';
import { type ActFlags, actOnBatch } from './act-on-batch.ts';
import { endedNote, type StopCommand, stopAct } from './stop-batch.ts';

/**
 * `bursar pause BATCH`: the batch creates no mass payouts until a person resumes it. Its sent chunks are still settled.
 * Needs no worker.
 */
export const pause = (flags: ActFlags, context: Context): Promise<number> =>
  actOnBatch(stopAct(PAUSE, context), flags, context);

const PAUSE: StopCommand = {
  schema: 'bursar.pause/v1',
  refusal({ batchId, canceled, execution }) {
    if (canceled !== null) {
      return noteOf('BATCH_STOPPED', { batchId, stopped: canceledReason(canceled) });
    }
    if (execution?.state === 'SETTLING') {
      return noteOf('NOTHING_TO_PAUSE', { batchId, state: execution.state });
    }
    return endedNote({ batchId, canceled, execution });
  },
  async write(store, { batchId, by, reason, policy, atMs }) {
    const put = { kind: 'PAUSE', reason, by, facts: {}, policy } as const;
    const hold = await store.holds.put(batchId, put, atMs);
    // The same person may repeat the command, since its answer was lost.
    const isOurs = hold.by === by && hold.reason === reason;
    return isOurs ? null : noteOf('ALREADY_PAUSED', { batchId, by: hold.by });
  },
  update: (engine, batchId, act) => engine.pause(batchId, act),
  endState: null,
  text: (batchId) => [
    `Batch ${batchId} is paused: nothing more of it is sent; what was sent is followed to its end.`,
    `Go on with: bursar resume ${batchId} --reason ...`,
  ],
  silentText: 'The next worker creates nothing of the batch until it is resumed.',
};
