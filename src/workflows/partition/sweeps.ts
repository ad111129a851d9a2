import type { Swept } from '../../contract/sweep.ts';
import { condition, workflowInfo } from '@temporalio/workflow';
import { chunksAt, isBoardDone } from '../../domain/batch/partition-board.ts';
import { counted } from '../../domain/text/counted.ts';
import { sweepChunks } from '../shared/activities.ts';
import { hintedChunks, isFirstPollDue } from '../state/partition-state.ts';
import { change, type PartitionRun, reportHold, takeFirstPoll } from './partition-run.ts';
import { sendToEnd } from './send-chunk.ts';

/** Sweeps the open chunks until all are at their end: those that a webhook named at once, all of them now and then. */
export async function settleAll(run: PartitionRun): Promise<void> {
  const { pollMinMs, pollMaxMs } = run.input.options;
  let delayMs = pollMinMs;
  let pollAtMs = Date.now() + delayMs;
  for (;;) {
    await waitForWork(run, pollAtMs);
    if (run.state.isLeaving) return;
    if (isAllDone(run)) {
      if (await isWrittenDown(run)) return;
      continue;
    }
    const hinted = hintedChunks(run.state);
    change(run, { kind: 'hints-taken' });
    const pollIsDue = Date.now() >= pollAtMs || takeFirstPoll(run);
    const chunks = pollIsDue ? openChunks(run) : hinted;
    const swept = chunks.length === 0 ? NOTHING : await sweep(run, chunks);
    const moved = swept.settled.length + swept.moved.length > 0;
    const isQuick = moved || swept.webhooksDown === true;
    if (pollIsDue) delayMs = isQuick ? pollMinMs : Math.min(delayMs * 2, pollMaxMs);
    if (pollIsDue) pollAtMs = Date.now() + delayMs;
    if (workflowInfo().continueAsNewSuggested) change(run, { kind: 'left' });
  }
}

async function waitForWork(run: PartitionRun, pollAtMs: number): Promise<void> {
  const ready = (): boolean =>
    run.state.isLeaving ||
    hintedChunks(run.state).length > 0 ||
    (isFirstPollDue(run.state) && openChunks(run).length > 0) ||
    isAllDone(run);
  const open = openChunks(run).length;
  const summary =
    open === 0 ? 'no mass payout to read yet' : `the next read of ${counted(open, 'mass payout')}`;
  await condition(ready, Math.max(1, pollAtMs - Date.now()), { summary });
}

const openChunks = ({ state }: PartitionRun): number[] => chunksAt(state.board, 'open');

/** Whether nothing is left to send, and every chunk is at its end. */
const isAllDone = ({ state }: PartitionRun): boolean => state.allSent && isBoardDone(state.board);

const NOTHING: Swept = { settled: [], moved: [], unread: [], unsent: [] };

/** Chunks that one activity reads: it ends within seconds, and what a page has found is shown before the next one. */
const CHUNKS_PER_SWEEP = 200;

/** Sweeps chunks page by page. */
async function sweep(run: PartitionRun, chunks: readonly number[]): Promise<Swept> {
  let all = NOTHING;
  for (let from = 0; from < chunks.length; from += CHUNKS_PER_SWEEP) {
    all = joined(all, await sweepPage(run, chunks.slice(from, from + CHUNKS_PER_SWEEP)));
  }
  return all;
}

async function sweepPage(run: PartitionRun, chunks: readonly number[]): Promise<Swept> {
  const swept = await sweepChunks({ batchId: run.input.batchId, chunks });
  change(run, { kind: 'swept', read: chunks, alarmed: swept.needsOperator ?? [] });
  if (swept.hold !== undefined) reportHold(run, swept.hold);
  change(run, { kind: 'moved', chunks: swept.settled, to: 'settled', inDoubt: false });
  findAgain(run, swept.unsent);
  return swept;
}

const joined = (one: Swept, other: Swept): Swept => ({
  settled: [...one.settled, ...other.settled],
  moved: [...one.moved, ...other.moved],
  unread: [...one.unread, ...other.unread],
  unsent: [...one.unsent, ...other.unsent],
  webhooksDown: one.webhooksDown === true || other.webhooksDown === true,
});

/** The send activity finds sends that the store has forgotten. */
function findAgain(run: PartitionRun, chunks: readonly number[]): void {
  for (const chunk of chunks) {
    change(run, { kind: 'forgotten', chunk });
    run.besides.push(sendToEnd(run, chunk));
  }
}

/**
 * Whether every chunk is at its end. A store that was brought back from an older copy meanwhile may not have it, and people
 * may have sent again what had failed.
 */
async function isWrittenDown(run: PartitionRun): Promise<boolean> {
  const { batchId, firstChunk, chunkCount } = run.input;
  let isAllSettled = true;
  for (let from = 0; from < chunkCount; from += CHUNKS_PER_SWEEP) {
    const count = Math.min(CHUNKS_PER_SWEEP, chunkCount - from);
    const chunks = Array.from({ length: count }, (_, i) => firstChunk + from + i);
    const { settled, unsent, needsOperator = [] } = await sweepChunks({ batchId, chunks });
    change(run, { kind: 'swept', read: chunks, alarmed: needsOperator });
    const known = new Set([...settled, ...unsent]);
    const open = chunks.filter((chunk) => !known.has(chunk));
    change(run, { kind: 'moved', chunks: open, to: 'open', inDoubt: false });
    findAgain(run, unsent);
    isAllSettled &&= settled.length === chunks.length;
  }
  return isAllSettled;
}
