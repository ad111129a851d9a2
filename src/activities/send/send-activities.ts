import type { SendActivities } from '../../contract/sending.ts';
import { atBoundary } from '../shared/boundary.ts';
import { answerChunk } from './answer-chunk.ts';
import { openSending } from './open-sending.ts';
import { sendChunk } from './send.ts';
import { createGroup } from './send-group.ts';
import type { SendDeps } from './types.ts';

/** The activities that send chunks, and that take answers for them. */
export const createSendActivities = (deps: SendDeps): SendActivities => ({
  sendChunk: (input) => atBoundary(async () => sendChunk(deps, await openSending(deps, input))),

  sendChunks: (input) => {
    const group = createGroup(deps, input);
    return atBoundary(group.send, group.progress);
  },

  answerChunk: (input) => atBoundary(() => answerChunk(deps, input)),
});
