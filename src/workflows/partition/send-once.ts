import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  log,
  sleep,
} from '@temporalio/workflow';
import type {
  SendChunkInput,
  SendChunksInput,
  SendStep,
  SentChunks,
} from '../../contract/sending.ts';
import { STORE_TROUBLES } from '../../contract/store.ts';
import type { TaskPriority } from '../../domain/batch/task-priority.ts';
import { counted } from '../../domain/text/counted.ts';
import { stepSummary } from '../../domain/text/markdown.ts';
import { GROUP_OPTIONS, SEND_OPTIONS, sendChunk, sendChunks } from '../shared/activities.ts';

/** How long to wait after a send activity that ended without a step, in milliseconds. */
const TROUBLE_DELAY_MS = 2_000;
/** The wait when time is not expected to help. */
const BUG_DELAY_MS = 60_000;

/**
 * Runs the send activity once. It may be lost at any moment. The store has its steps, so the next activity decides from
 * them, and a lost one is only a reason to run it again.
 */
export async function sendOnce(
  input: SendChunkInput,
  priority: TaskPriority = {},
): Promise<SendStep> {
  try {
    const summary = `chunk ${input.chunk}`;
    return await sendChunk.executeWithOptions({ ...SEND_OPTIONS, summary, priority }, [input]);
  } catch (error) {
    return { kind: 'waiting', ...delayAfter(error, { chunk: input.chunk }), inDoubt: false };
  }
}

/** Runs the activity of a group once, as {@link sendOnce}. After a lost one it waits, and no chunk counts as begun. */
export async function sendGroupOnce(input: SendChunksInput): Promise<SentChunks> {
  const [first] = input.chunks;
  const summary = `${counted(input.chunks.length, 'chunk')} from ${first} on`;
  try {
    const sent = await sendChunks.executeWithOptions({ ...GROUP_OPTIONS, summary }, [input]);
    if (sent.created.length + sent.steps.length + sent.failed.length > 0) return sent;
    await sleep(TROUBLE_DELAY_MS, { summary: 'a worker that stops began no chunk' });
  } catch (error) {
    const { delayMs, why } = delayAfter(error, { from: first });
    await sleep(delayMs, { summary: stepSummary(why) });
  }
  return NONE_BEGUN;
}

const NONE_BEGUN: SentChunks = { created: [], steps: [], failed: [] };

/** How long to wait after an activity that ended without a result. Throws every error that is no failure of an activity. */
function delayAfter(
  error: unknown,
  about: Readonly<Record<string, unknown>>,
): Readonly<{ delayMs: number; why: string }> {
  if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
  const { cause } = error;
  const isStore = cause instanceof ApplicationFailure && STORE_TROUBLES.includes(cause.type ?? '');
  const lasting = isStore || (cause instanceof ApplicationFailure && cause.nonRetryable === true);
  const why = cause?.message ?? error.message;
  if (!isStore) log.warn('a send activity ended without a step', { ...about, why });
  return { delayMs: lasting ? BUG_DELAY_MS : TROUBLE_DELAY_MS, why };
}
