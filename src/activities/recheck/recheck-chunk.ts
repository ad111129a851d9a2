import type { RecheckDeps, RecheckResult, FinishedChunk } from './types.ts';
import { sleep } from '@temporalio/activity';
import type { BatchOptions } from '../../contract/batch.ts';
import { recheckKey } from './recheck-key.ts';
import { recheckPayout } from './recheck-payout.ts';

/** As {@link RecheckDeps}; waits are an activity's own unless a test has others. */
export type RecheckOptions = Omit<RecheckDeps, 'pause'> & Partial<RecheckDeps>;

/** A chunk of a batch that is over, as the store has it now. */
export async function readFinishedChunk(
  { store }: RecheckOptions,
  batchId: string,
  chunk: number,
): Promise<FinishedChunk> {
  const batch = await store.batches.facts(batchId);
  return {
    at: { batchId, chunk },
    batch,
    options: JSON.parse(batch.optionsJson) as BatchOptions,
    chunk: await store.chunks.get(batchId, chunk),
  };
}

/** Rechecks a chunk of an ended batch, in the way that its state allows. */
export function recheckChunk(
  { pause = sleep, ...options }: RecheckOptions,
  finished: FinishedChunk,
): Promise<RecheckResult> {
  const deps = { ...options, pause };
  const { state, massPayoutId } = finished.chunk;
  if (state === 'CREATED' && massPayoutId !== null) return recheckPayout(deps, finished);
  if (state === 'REJECTED' || state === 'NOT_SENT') return recheckKey(deps, finished);
  return Promise.resolve({ kind: 'hidden' });
}
