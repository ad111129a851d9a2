import { condition } from '@temporalio/workflow';
import type { SendStep } from '../../contract/sending.ts';
import type { PartitionInput } from '../../contract/partition.ts';
import { isChunkAt } from '../../domain/batch/partition-board.ts';
import { IN_DOUBT_PRIORITY, type TaskPriority } from '../../domain/batch/task-priority.ts';
import { stepSummary } from '../../domain/text/markdown.ts';
import { hasGoneOn, isNewlyStopped } from '../state/partition-state.ts';
import {
  change,
  halt,
  move,
  type PartitionRun,
  reportHold,
  reportVerification,
  takeCall,
} from './partition-run.ts';
import { sendOnce } from './send-once.ts';

/** A chunk, and where its sending stands. */
export type ChunkStep = Readonly<{ chunk: number; step: SendStep }>;

/** Sends a chunk until it has its mass payout or its end. Returns a step that takes longer. */
export async function sendUntilInDoubt(
  run: PartitionRun,
  chunk: number,
): Promise<SendStep | undefined> {
  const step = await send(run, chunk);
  return takeStep(run, chunk, step) ? undefined : goOnUntilInDoubt(run, { chunk, step });
}

/** Sends a chunk again after a step that did not end its sending. Returns a step that takes longer. */
export async function goOnUntilInDoubt(
  run: PartitionRun,
  { chunk, step }: ChunkStep,
): Promise<SendStep | undefined> {
  for (let last = step; ; ) {
    if (last.kind === 'needs-operator' || (last.kind === 'waiting' && last.inDoubt)) return last;
    await pause(run, chunk, last);
    if (run.state.isLeaving) return undefined;
    last = await send(run, chunk);
    if (takeStep(run, chunk, last)) return undefined;
  }
}

/** Sends a chunk and follows it, however long it takes. */
export async function sendToEnd(run: PartitionRun, chunk: number): Promise<void> {
  const step = await sendUntilInDoubt(run, chunk);
  if (step !== undefined) await follow(run, { chunk, step });
}

/** Follows an ambiguous chunk, or one that waits for a person, to its end. */
export async function follow(run: PartitionRun, from: ChunkStep): Promise<void> {
  const { chunk } = from;
  for (let { step } = from; ; ) {
    await pause(run, chunk, step);
    if (run.state.isLeaving) return;
    step = await send(run, chunk, IN_DOUBT_PRIORITY);
    if (takeStep(run, chunk, step)) return;
  }
}

function send(run: PartitionRun, chunk: number, priority?: TaskPriority): Promise<SendStep> {
  change(run, { kind: 'send-began', chunk });
  const { input, state } = run;
  const sent = {
    batchId: input.batchId,
    chunk,
    digest: input.digest,
    proveLookup: isCanary(input, chunk),
    stopped: state.stopped,
    wasCreated: state.board.forgotten.has(chunk),
  };
  return sendOnce(sent, priority);
}

const isCanary = ({ canary, firstChunk }: PartitionInput, chunk: number): boolean =>
  canary && chunk === firstChunk;

/** Records where the chunk stands now. Returns whether its sending is over. */
export function takeStep(run: PartitionRun, chunk: number, step: SendStep): boolean {
  switch (step.kind) {
    case 'created':
      move(run, [chunk], 'open');
      return true;
    case 'rejected':
      move(run, [chunk], 'settled');
      if (step.halt || isCanary(run.input, chunk)) halt(run, step.reason);
      return true;
    case 'abandoned':
      move(run, [chunk], 'settled');
      if (isCanary(run.input, chunk)) halt(run, 'the first chunk was given up by an operator');
      return true;
    case 'closed':
      move(run, [chunk], 'notSent');
      return true;
    case 'needs-operator':
      move(run, [chunk], 'needsOperator');
      return false;
    case 'held':
      reportHold(run, step.hold);
      move(run, [chunk], 'pending');
      return false;
    case 'behind':
      move(run, [chunk], 'pending');
      return false;
    case 'waiting':
      change(run, {
        kind: 'moved',
        chunks: [chunk],
        to: 'pending',
        inDoubt: step.inDoubt,
        atMs: Date.now(),
      });
      if (step.verifying !== undefined) reportVerification(run, step.verifying);
      return false;
  }
}

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
