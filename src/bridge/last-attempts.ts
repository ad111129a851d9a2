import { createChunkStore } from '../store/batches/chunks.ts';
import type { Access } from '../store/database/decide.ts';
import { readSendStates } from '../store/sending/send-records.ts';
import type { Route } from '../store/webhooks/routes.ts';
import type { LastAttempt } from './webhook-trail.ts';

/** Reads the last attempt of chunks. */
export function createLastAttempts(access: Access) {
  const chunks = createChunkStore(access, Date.now);
  return async ({ batchId, chunk }: Route): Promise<LastAttempt | undefined> => {
    const { idempotencyKey } = await chunks.get(batchId, chunk);
    const refs = [{ batchId, chunk, idempotencyKey }];
    // Restores change what follows from attempts, and not the attempts.
    const [state] = await readSendStates(access.db, { batchId, refs, restore: undefined });
    return state?.record.attempts.at(-1);
  };
}
