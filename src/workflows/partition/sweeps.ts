import type { Swept } from '../../contract/sweep.ts';
import { condition, workflowInfo } from '@temporalio/workflow';
import { chunksAt, isBoardDone } from '../../domain/batch/partition-board.ts';
import { counted } from '../../domain/text/counted.ts';
import { sweepChunks } from '../shared/activities.ts';
import {
  firstReadsDue,
  hintedChunks,
  isFirstPollDue,
  nextFirstReadAtMs,
  type PartitionEvent,
  polledChunks,
} from '../state/partition-state.ts';
import { change, move, type PartitionRun, reportHold, takeFirstPoll } from './partition-run.ts';
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
    const polled = pollIsDue ? polledChunks(run.state) : [];
    const isIdle = polled.length + hinted.length === 0;
    const read = isIdle ? NOTHING : await sweep(run, { timed: polled, hinted });
    const firsts = pollIsDue || !isWaitingForPoll(run) ? dueNow(run) : [];
    const swept = firsts.length === 0 ? read : joined(read, await sweep(run, { timed: firsts }));
    const moved = swept.settled.length + swept.moved.length > 0;
    const isQuick = moved || swept.webhooksDown === true || isUnpolled(run, polled);
    if (pollIsDue) delayMs = isQuick ? pollMinMs : Math.min(delayMs * 2, pollMaxMs);
    if (pollIsDue) pollAtMs = Date.now() + delayMs;
    if (workflowInfo().continueAsNewSuggested) change(run, { kind: 'left' });
  }
}

const dueNow = ({ state, input }: PartitionRun): number[] =>
  firstReadsDue(state, Date.now(), input.options.pollMinMs);

/** Whether a mass payout was read in vain: first reads of others then follow its next read, which shows whether they are worth it. */
const isWaitingForPoll = ({ state }: PartitionRun): boolean => polledChunks(state).length > 0;

/** Whether a poll of a partition that learns had nothing to read. */
const isUnpolled = ({ state }: PartitionRun, polled: readonly number[]): boolean =>
  state.firstReads !== null && polled.length === 0;

/** When the next first read is due; Infinity: with the next poll, or none is. */
const firstReadAtMs = (run: PartitionRun): number =>
  isWaitingForPoll(run) ? Infinity : nextFirstReadAtMs(run.state, run.input.options.pollMinMs);

async function waitForWork(run: PartitionRun, pollAtMs: number): Promise<void> {
  const untilMs = Math.min(pollAtMs, firstReadAtMs(run));
  const ready = (): boolean =>
    run.state.isLeaving ||
    hintedChunks(run.state).length > 0 ||
    (isFirstPollDue(run.state) && openChunks(run).length > 0) ||
    firstReadAtMs(run) < untilMs ||
    isAllDone(run);
  const open = openChunks(run).length;
  const summary =
    open === 0 ? 'no mass payout to read yet' : `the next read of ${counted(open, 'mass payout')}`;
  await condition(ready, Math.max(1, untilMs - Date.now()), { summary });
}

const openChunks = ({ state }: PartitionRun): number[] => chunksAt(state.board, 'open');

/** Whether nothing is left to send, and every chunk is at its end. */
const isAllDone = ({ state }: PartitionRun): boolean => state.allSent && isBoardDone(state.board);

const NOTHING: Swept = { settled: [], moved: [], unread: [], unsent: [] };

/** Chunks that one activity reads: it ends within seconds, and what a page has found is shown before the next one. */
const CHUNKS_PER_SWEEP = 200;

/** Chunks to read: those that are due by time, and those that webhooks named. */
type ChunksToRead = Readonly<{ timed: readonly number[]; hinted?: readonly number[] }>;

/** Sweeps chunks page by page, and learns from those that were due by time. */
async function sweep(run: PartitionRun, { timed, hinted = [] }: ChunksToRead): Promise<Swept> {
  const chunks = timed.length === 0 ? hinted : [...new Set([...timed, ...hinted])];
  const isTimed = new Set(timed);
  let all = NOTHING;
  for (let from = 0; from < chunks.length; from += CHUNKS_PER_SWEEP) {
    if (run.state.isLeaving) break;
    const page = chunks.slice(from, from + CHUNKS_PER_SWEEP);
    all = joined(all, await sweepPage(run, page, isTimed));
  }
  return all;
}

async function sweepPage(
  run: PartitionRun,
  chunks: readonly number[],
  isTimed: ReadonlySet<number>,
): Promise<Swept> {
  const swept = await sweepChunks({ batchId: run.input.batchId, chunks });
  learn(
    run,
    swept,
    chunks.filter((chunk) => isTimed.has(chunk)),
  );
  change(run, sweptEvent(chunks, swept));
  if (swept.hold !== undefined) reportHold(run, swept.hold);
  move(run, swept.settled, 'settled');
  findAgain(run, swept.unsent);
  return swept;
}

const sweptEvent = (
  read: readonly number[],
  { needsOperator = [], unconfirmed = [], unread }: Swept,
): PartitionEvent => ({ kind: 'swept', read, unread, alarmed: needsOperator, unconfirmed });

/** Learns when mass payouts are usually at their end. One that could not be read shows nothing. */
function learn(
  run: PartitionRun,
  { settled, unread, unsent }: Swept,
  timed: readonly number[],
): void {
  if (timed.length === 0) return;
  const ended = new Set(settled);
  const silent = new Set([...unread, ...unsent]);
  const { pollMinMs, pollMaxMs } = run.input.options;
  change(run, {
    kind: 'timed-reads',
    settled: timed.filter((chunk) => ended.has(chunk)),
    open: timed.filter((chunk) => !ended.has(chunk) && !silent.has(chunk)),
    atMs: Date.now(),
    bounds: { minMs: pollMinMs, maxMs: pollMaxMs },
  });
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
    const swept = await sweepChunks({ batchId, chunks });
    change(run, sweptEvent(chunks, swept));
    const { settled, unsent } = swept;
    const known = new Set([...settled, ...unsent]);
    const open = chunks.filter((chunk) => !known.has(chunk));
    move(run, open, 'open');
    findAgain(run, unsent);
    isAllSettled &&= settled.length === chunks.length;
  }
  return isAllSettled;
}
