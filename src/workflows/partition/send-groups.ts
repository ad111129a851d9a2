import { condition, workflowInfo } from '@temporalio/workflow';
import type { SentChunks } from '../../contract/sending.ts';
import type { PartitionInput } from '../../contract/partition.ts';
import { GROUP_MS } from '../shared/activities.ts';
import { mayPayAtOnce } from '../state/partition-state.ts';
import { change, move, type PartitionRun, reportHold } from './partition-run.ts';
import { type ChunkStep, takeStep } from './send-chunk.ts';
import { sendGroupOnce } from './send-once.ts';

/** Up to as many chunks are sent by one activity each: the web UI then shows each chunk by itself. */
const SINGLE_CHUNKS_MAX = 20;

/** Whether one activity sends many of these chunks. */
export const isGrouped = (
  { grouped }: Readonly<Partial<PartitionInput>>,
  chunks: readonly number[],
): boolean => grouped === true && chunks.length > SINGLE_CHUNKS_MAX;

/** The ways of one chunk by itself; both return when it is sent, at its end, or in doubt. */
export type SingleSends = Readonly<{
  begin(chunk: number): Promise<void>;
  goOn(from: ChunkStep): Promise<void>;
}>;

/**
 * Sends chunks in groups, one group after the other. A chunk that needs more than its group goes on by itself, and takes one
 * of the lanes until it is sent or in doubt. Example: of 16 lanes 3 chunks wait, so that the next group has 13 lanes.
 */
export async function sendInGroups(
  run: PartitionRun,
  chunks: readonly number[],
  single: SingleSends,
): Promise<void> {
  const width = run.input.options.chunksInFlight;
  const apart: Promise<void>[] = [];
  let busy = 0;
  const besides = (work: Promise<void>): void => {
    busy += 1;
    apart.push(work.finally(() => void (busy -= 1)));
  };
  for (let left = chunks; left.length > 0; ) {
    await condition(() => busy < width || run.state.isLeaving);
    if (run.state.isLeaving) break;
    const sent = await sendGroup(run, left, width - busy);
    for (const from of takeGroup(run, sent)) besides(single.goOn(from));
    for (const chunk of sent.failed) besides(single.begin(chunk));
    const begun = new Set([...sent.created, ...sent.failed, ...sent.steps.map((one) => one.chunk)]);
    left = left.filter((chunk) => !begun.has(chunk));
    if (workflowInfo().continueAsNewSuggested) change(run, { kind: 'left' });
  }
  await Promise.all(apart);
}

async function sendGroup(
  run: PartitionRun,
  chunks: readonly number[],
  lanes: number,
): Promise<SentChunks> {
  change(run, { kind: 'group-began', chunks });
  const { input, state } = run;
  const sent = await sendGroupOnce({
    batchId: input.batchId,
    digest: input.digest,
    chunks,
    lanes,
    // With few lanes it ends sooner, so that lanes which get free are used.
    forMs: Math.ceil((GROUP_MS * lanes) / input.options.chunksInFlight),
    stopped: state.stopped,
    created: chunks.filter((chunk) => state.board.forgotten.has(chunk)),
    readsFirst: mayPayAtOnce(state, input.options.pollMinMs),
  });
  change(run, { kind: 'group-ended' });
  return sent;
}

/** Records where the chunks of a group stand. Returns those whose sending is not over. */
function takeGroup(
  run: PartitionRun,
  { created, steps, settled = [], hold }: SentChunks,
): ChunkStep[] {
  move(run, created, 'open');
  if (settled.length > 0) move(run, settled, 'settled');
  if (hold !== undefined) reportHold(run, hold);
  const closed = steps.filter(({ step }) => step.kind === 'closed').map(({ chunk }) => chunk);
  if (closed.length > 0) move(run, closed, 'notSent');
  return steps.filter(({ chunk, step }) => step.kind !== 'closed' && !takeStep(run, chunk, step));
}
