import { cancellationSignal } from '@temporalio/activity';
import type { SendActivities, SendChunkInput, SendStep } from '../../contract/sending.ts';
import { atBoundary } from '../shared/boundary.ts';
import { answerChunk } from './answer-chunk.ts';
import { leasedPlace } from './create-leases.ts';
import { openSending } from './open-sending.ts';
import { sendChunk } from './send.ts';
import { createGroup } from './send-group.ts';
import type { SendDeps } from './types.ts';

/** The activities that send chunks, and that take answers for them. */
export const createSendActivities = (deps: SendDeps): SendActivities => ({
  sendChunk: (input) => atBoundary(() => sendAlone(deps, input)),

  sendChunks: (input) => {
    const group = createGroup(deps, input);
    return atBoundary(group.send, group.progress);
  },

  answerChunk: (input) => atBoundary(() => answerChunk(deps, input)),
});

/** Sends a chunk by itself. Throws GroupEnded where it waits for a lease and this worker stops, or has lost the activity. */
async function sendAlone(deps: SendDeps, input: SendChunkInput): Promise<SendStep> {
  const sending = await openSending(deps, input);
  const mayCreate = (): boolean => deps.mayGoOn() && !cancellationSignal().aborted;
  const place = leasedPlace(deps, sending.place, mayCreate);
  try {
    return await sendChunk(deps, { ...sending, place });
  } finally {
    place.free();
  }
}
