import { ActivityFailure, ApplicationFailure, isCancellation, log } from '@temporalio/workflow';
import type { SendChunkInput, SendStep } from '../../contract/activities.ts';
import { STORE_TROUBLES } from '../../contract/store.ts';
import { SEND_OPTIONS, sendChunk } from '../shared/activities.ts';

/** How long to wait after a send activity that ended without a step, in milliseconds. */
const TROUBLE_DELAY_MS = 2_000;
/** The wait when time is not expected to help. */
const BUG_DELAY_MS = 60_000;

/**
 * Runs the send activity once. It may be lost at any moment. The store has its steps, so the next activity decides from
 * them, and a lost one is only a reason to run it again.
 */
export async function sendOnce(input: SendChunkInput): Promise<SendStep> {
  try {
    const summary = `chunk ${input.chunk}`;
    return await sendChunk.executeWithOptions({ ...SEND_OPTIONS, summary }, [input]);
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    const { cause } = error;
    const isStore =
      cause instanceof ApplicationFailure && STORE_TROUBLES.includes(cause.type ?? '');
    const lasting = isStore || (cause instanceof ApplicationFailure && cause.nonRetryable === true);
    const why = cause?.message ?? error.message;
    if (!isStore) log.warn('a send activity ended without a step', { chunk: input.chunk, why });
    const delayMs = lasting ? BUG_DELAY_MS : TROUBLE_DELAY_MS;
    return { kind: 'waiting', delayMs, why, inDoubt: false };
  }
}
