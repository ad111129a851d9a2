import type { LateDeps, LateLook, Past } from './types.ts';
import { sleep } from '@temporalio/activity';
import type { BatchOptions } from '../../contract/batch.ts';
import { lookForKey } from './recheck-key.ts';
import { lookAtCreated } from './recheck-payout.ts';

/** As {@link LateDeps}; waits are an activity's own unless a test has others. */
export type PastDeps = Omit<LateDeps, 'pause'> & Partial<LateDeps>;

/** A chunk of a batch that is over, as the store has it now. */
export async function readPast({ store }: PastDeps, batchId: string, chunk: number): Promise<Past> {
  const batch = await store.batches.facts(batchId);
  return {
    at: { batchId, chunk },
    batch,
    options: JSON.parse(batch.optionsJson) as BatchOptions,
    chunk: await store.chunks.get(batchId, chunk),
  };
}

/** Rechecks a chunk of an ended batch, in the way that its state allows. */
export function lookAgain({ pause = sleep, ...rest }: PastDeps, past: Past): Promise<LateLook> {
  const deps = { ...rest, pause };
  const { state, massPayoutId } = past.chunk;
  if (state === 'CREATED' && massPayoutId !== null) return lookAtCreated(deps, past);
  if (state === 'REJECTED' || state === 'NOT_SENT') return lookForKey(deps, past);
  return Promise.resolve({ kind: 'hidden' });
}
