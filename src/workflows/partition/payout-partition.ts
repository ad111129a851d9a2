import type { Swept } from '../../contract/sweep.ts';
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  workflowInfo,
} from '@temporalio/workflow';
import type { SendStep } from '../../contract/activities.ts';
import type { PartitionInput, PartitionResult } from '../../contract/partition.ts';
import {
  boardCounts,
  type ChunkPosition,
  chunksAt,
  isBoardDone,
  isChunkAt,
} from '../../domain/batch/partition-board.ts';
import { counted } from '../../domain/text/counted.ts';
import { stepSummary } from '../../domain/text/markdown.ts';
import { sweepChunks } from '../shared/activities.ts';
import {
  hasGoneOn,
  hintedChunks,
  isFirstPollDue,
  isNewlyStopped,
  isUnsent,
  partitionSnapshot,
} from '../state/partition-state.ts';
import { lanes } from './lanes.ts';
import { beginPartition } from './partition-handlers.ts';
import {
  change,
  halt,
  type PartitionRun,
  reportHold,
  reportSent,
  reportVerification,
  takeCall,
  takeFirstPoll,
} from './partition-run.ts';
import { sendOnce } from './send-once.ts';

/**
 * Drives the chunks of one partition: sends each, and follows each to its end. A webhook only names chunks to read; polling finds
 * what no webhook names. Work goes on to its end whatever is canceled: what was sent must be settled.
 */
export async function payoutPartition(input: PartitionInput): Promise<PartitionResult> {
  return CancellationScope.nonCancellable(async () => {
    const run = beginPartition(input);
    await Promise.all([sendAll(run), settleAll(run)]);
    await Promise.all(run.besides);
    await condition(allHandlersFinished);
    if (!isBoardDone(run.state.board)) {
      await continueAsNew<typeof payoutPartition>({
        ...input,
        resume: partitionSnapshot(run.state),
      });
    }
    const { settled, notSent } = boardCounts(run.state.board);
    return { settled, notSent };
  });
}

/** Sends every pending chunk, a bounded number side by side; the canary alone and before all others. */
async function sendAll(run: PartitionRun): Promise<void> {
  const { options, ...input } = run.input;
  const pending = chunksAt(run.state.board, 'pending');
  const inDoubt: Promise<void>[] = [];
  const begin = async (chunk: number): Promise<void> => {
    if (run.state.isLeaving) return;
    const step = await sendUntilInDoubt(run, chunk);
    // An ambiguous chunk needs minutes; it must not keep a lane from sound chunks.
    if (step !== undefined) inDoubt.push(follow(run, { chunk, step }));
  };
  const canary = input.canary && pending[0] === input.firstChunk ? pending[0] : undefined;
  if (canary !== undefined) {
    await begin(canary);
    await condition(() => !isUnsent(run.state, canary) || run.state.isLeaving);
  }
  const others = pending.filter((chunk) => chunk !== canary);
  await lanes(options.chunksInFlight, others, begin);
  if (!run.state.isLeaving) await reportSent(run);
  await Promise.all(inDoubt);
  const wasVerifying = run.state.verifying !== null;
  change(run, { kind: 'all-sent' });
  // An ambiguous chunk can be verified after all others were sent.
  if (wasVerifying && !run.state.isLeaving) await reportSent(run);
}

/** Sends a chunk until it has its mass payout or its end. Returns a step that takes longer. */
async function sendUntilInDoubt(run: PartitionRun, chunk: number): Promise<SendStep | undefined> {
  for (;;) {
    const step = await send(run, chunk);
    if (takeStep(run, chunk, step)) return undefined;
    if (step.kind === 'needs-operator' || (step.kind === 'waiting' && step.inDoubt)) return step;
    await pause(run, chunk, step);
    if (run.state.isLeaving) return undefined;
  }
}

/** Sends a chunk and follows it, however long it takes. */
async function sendToEnd(run: PartitionRun, chunk: number): Promise<void> {
  const step = await sendUntilInDoubt(run, chunk);
  if (step !== undefined) await follow(run, { chunk, step });
}

/** Follows an ambiguous chunk, or one that waits for a person, to its end. */
async function follow(run: PartitionRun, from: { chunk: number; step: SendStep }): Promise<void> {
  const { chunk } = from;
  for (let { step } = from; ; ) {
    await pause(run, chunk, step);
    if (run.state.isLeaving) return;
    step = await send(run, chunk);
    if (takeStep(run, chunk, step)) return;
  }
}

function send(run: PartitionRun, chunk: number): Promise<SendStep> {
  change(run, { kind: 'send-began', chunk });
  const { input, state } = run;
  return sendOnce({
    batchId: input.batchId,
    chunk,
    digest: input.digest,
    proveLookup: isCanary(input, chunk),
    stopped: state.stopped,
    wasCreated: state.board.forgotten.has(chunk),
  });
}

const isCanary = ({ canary, firstChunk }: PartitionInput, chunk: number): boolean =>
  canary && chunk === firstChunk;

/** Records where the chunk stands now. Returns whether its sending is over. */
function takeStep(run: PartitionRun, chunk: number, step: SendStep): boolean {
  switch (step.kind) {
    case 'created':
      move(run, chunk, 'open');
      return true;
    case 'rejected':
      move(run, chunk, 'settled');
      if (step.halt || isCanary(run.input, chunk)) halt(run, step.reason);
      return true;
    case 'abandoned':
      move(run, chunk, 'settled');
      if (isCanary(run.input, chunk)) halt(run, 'the first chunk was given up by an operator');
      return true;
    case 'closed':
      move(run, chunk, 'notSent');
      return true;
    case 'needs-operator':
      move(run, chunk, 'needsOperator');
      return false;
    case 'held':
      reportHold(run, step.hold);
      move(run, chunk, 'pending');
      return false;
    case 'behind':
      move(run, chunk, 'pending');
      return false;
    case 'waiting':
      change(run, { kind: 'moved', chunk, to: 'pending', inDoubt: step.inDoubt });
      if (step.verifying !== undefined) reportVerification(run, step.verifying);
      return false;
  }
}

const move = (run: PartitionRun, chunk: number, to: ChunkPosition): void =>
  change(run, { kind: 'moved', chunk, to, inDoubt: false });

/** The interval in which a chunk checks whether its batch is still held, in milliseconds. */
const HELD_LOOK_MS = 900_000;
/** The interval for a chunk that waits for the first chunk of its currency, which another partition may drive. */
const BEHIND_LOOK_MS = 60_000;
/** The interval for a chunk that waits for a person. */
const NEEDS_OPERATOR_LOOK_MS = 900_000;

/** Waits for an event that can change the chunk: time, a webhook, a person's answer, the end of this run. */
async function pause(run: PartitionRun, chunk: number, step: SendStep): Promise<void> {
  const woken = (): boolean => takeCall(run, chunk) || run.state.isLeaving;
  const named = (why: string) => ({ summary: stepSummary(`chunk ${chunk}: ${why}`) });
  switch (step.kind) {
    case 'waiting':
      await condition(woken, Math.max(1, step.delayMs), named(step.why));
      return;
    case 'held': {
      const goesOn = (): boolean => hasGoneOn(run.state, chunk) || woken();
      await condition(goesOn, HELD_LOOK_MS, named(step.hold.reason));
      return;
    }
    case 'behind': {
      const isFirstDone = (): boolean => isChunkAt(run.state.board, step.chunk, 'settled');
      const goesOn = (): boolean => isFirstDone() || run.state.stopped !== null || woken();
      await condition(goesOn, BEHIND_LOOK_MS, named(`behind chunk ${step.chunk}`));
      return;
    }
    default: {
      // A lookup may find the mass payout later, and a stop ends a chunk that never left. The chunk is not sent before the answer.
      const changed = (): boolean => isNewlyStopped(run.state, chunk) || woken();
      const { lookAgainMs = NEEDS_OPERATOR_LOOK_MS } = step.kind === 'needs-operator' ? step : {};
      await condition(changed, lookAgainMs, named('waits for an answer of a person'));
    }
  }
}

/** Sweeps the open chunks until all are at their end: those that a webhook named at once, all of them now and then. */
async function settleAll(run: PartitionRun): Promise<void> {
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

async function sweep(run: PartitionRun, chunks: readonly number[]): Promise<Swept> {
  const swept = await sweepChunks({ batchId: run.input.batchId, chunks });
  change(run, { kind: 'swept', read: chunks, alarmed: swept.needsOperator ?? [] });
  if (swept.hold !== undefined) reportHold(run, swept.hold);
  for (const chunk of swept.settled) move(run, chunk, 'settled');
  findAgain(run, swept.unsent);
  return swept;
}

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
  const chunks = Array.from({ length: chunkCount }, (_, i) => firstChunk + i);
  const { settled, unsent, needsOperator = [] } = await sweepChunks({ batchId, chunks });
  change(run, { kind: 'swept', read: chunks, alarmed: needsOperator });
  const known = new Set([...settled, ...unsent]);
  for (const chunk of chunks) if (!known.has(chunk)) move(run, chunk, 'open');
  findAgain(run, unsent);
  return settled.length === chunks.length;
}
