import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  workflowInfo,
} from '@temporalio/workflow';
import type { SendStep, Swept } from '../../contract/activities.ts';
import type { PartitionInput, PartitionResult } from '../../contract/partition.ts';
import { stepSummary } from '../../domain/text/markdown.ts';
import { sweepChunks } from '../shared/activities.ts';
import { lanes } from './lanes.ts';
import { openPartitionDesk, type PartitionDesk } from './partition-desk.ts';
import { sendOnce } from './send-once.ts';

/**
 * Drives the chunks of one partition: sends each, and learns what became of each. A webhook only says where to look;
 * polling finds what no webhook tells. Work goes on to its end whatever is canceled: what was sent must be settled.
 */
export async function payoutPartition(input: PartitionInput): Promise<PartitionResult> {
  return CancellationScope.nonCancellable(async () => {
    const desk = openPartitionDesk(input);
    await Promise.all([sendAll(desk, input), settleAll(desk, input)]);
    await desk.untilAllRan();
    await condition(allHandlersFinished);
    if (!desk.board.isDone()) {
      await continueAsNew<typeof payoutPartition>({
        ...input,
        resume: desk.snapshot(),
      });
    }
    const { settled, notSent } = desk.board.counts();
    return { settled, notSent };
  });
}

/** Sends every pending chunk, a bounded number side by side; the canary alone and before all others. */
async function sendAll(desk: PartitionDesk, input: PartitionInput): Promise<void> {
  const pending = desk.board.at('pending');
  const doubtful: Promise<void>[] = [];
  const begin = async (chunk: number): Promise<void> => {
    if (desk.isLeaving()) return;
    const rest = await sendUntilInDoubt(desk, input, chunk);
    // What is in doubt needs minutes; it must not keep a lane from chunks that nothing is wrong with.
    if (rest !== undefined) doubtful.push(follow(desk, input, { chunk, step: rest }));
  };
  const canary = input.canary && pending[0] === input.firstChunk ? pending[0] : undefined;
  if (canary !== undefined) {
    await begin(canary);
    await condition(() => !desk.isUnsent(canary) || desk.isLeaving());
  }
  const others = pending.filter((chunk) => chunk !== canary);
  await lanes(input.options.chunksInFlight, others, begin);
  if (!desk.isLeaving()) await desk.tellSent();
  await Promise.all(doubtful);
  desk.doneSending();
}

/** Sends a chunk until it has its mass payout or its end; answers with a step that takes longer. */
async function sendUntilInDoubt(
  desk: PartitionDesk,
  input: PartitionInput,
  chunk: number,
): Promise<SendStep | undefined> {
  for (;;) {
    const step = await send(desk, input, chunk);
    if (apply(desk, chunk, step)) return undefined;
    if (step.kind === 'needs-operator' || (step.kind === 'waiting' && step.inDoubt)) return step;
    await pause(desk, chunk, step);
    if (desk.isLeaving()) return undefined;
  }
}

/** Sends a chunk and follows it, however long it takes. */
async function sendToEnd(desk: PartitionDesk, input: PartitionInput, chunk: number): Promise<void> {
  const step = await sendUntilInDoubt(desk, input, chunk);
  if (step !== undefined) await follow(desk, input, { chunk, step });
}

/** Follows a chunk that is in doubt, or that waits for a person, to its end. */
async function follow(
  desk: PartitionDesk,
  input: PartitionInput,
  from: { chunk: number; step: SendStep },
): Promise<void> {
  const { chunk } = from;
  for (let { step } = from; ; ) {
    await pause(desk, chunk, step);
    if (desk.isLeaving()) return;
    step = await send(desk, input, chunk);
    if (apply(desk, chunk, step)) return;
  }
}

function send(desk: PartitionDesk, input: PartitionInput, chunk: number): Promise<SendStep> {
  desk.beginSend(chunk);
  return sendOnce({
    batchId: input.batchId,
    chunk,
    digest: input.digest,
    proveLookup: input.canary && chunk === input.firstChunk,
    stopped: desk.stopped(),
    wasCreated: desk.board.isForgotten(chunk),
  });
}

/** Notes where the chunk stands now; answers whether its sending is over. */
function apply(desk: PartitionDesk, chunk: number, step: SendStep): boolean {
  switch (step.kind) {
    case 'created':
      desk.move(chunk, 'open');
      return true;
    case 'rejected':
      desk.move(chunk, 'settled');
      if (step.halt || desk.isCanary(chunk)) desk.halt(step.reason);
      return true;
    case 'abandoned':
      desk.move(chunk, 'settled');
      if (desk.isCanary(chunk)) desk.halt('the first chunk was given up by an operator');
      return true;
    case 'closed':
      desk.move(chunk, 'notSent');
      return true;
    case 'needs-operator':
      desk.move(chunk, 'needsOperator');
      return false;
    case 'held':
      desk.noteHold(step.hold);
      desk.move(chunk, 'pending');
      return false;
    case 'behind':
      desk.move(chunk, 'pending');
      return false;
    case 'waiting':
      desk.move(chunk, 'pending', step);
      return false;
  }
}

/** How often a chunk looks by itself whether its batch is still held, in milliseconds. */
const HELD_LOOK_MS = 900_000;
/** The same for one that waits for the first chunk of its currency, which another partition may drive. */
const BEHIND_LOOK_MS = 60_000;
/** The same for one that waits for a person. */
const NEEDS_OPERATOR_LOOK_MS = 900_000;

/** Waits for what can change something for the chunk: time, a webhook, a person's answer, the end of this run. */
async function pause(desk: PartitionDesk, chunk: number, step: SendStep): Promise<void> {
  const woken = (): boolean => desk.takeCall(chunk) || desk.isLeaving();
  const named = (why: string) => ({ summary: stepSummary(`chunk ${chunk}: ${why}`) });
  switch (step.kind) {
    case 'waiting':
      await condition(woken, Math.max(1, step.delayMs), named(step.why));
      return;
    case 'held': {
      const goesOn = (): boolean => desk.hasGoneOn(chunk) || woken();
      await condition(goesOn, HELD_LOOK_MS, named(step.hold.reason));
      return;
    }
    case 'behind': {
      const goesOn = (): boolean =>
        desk.board.isAt(step.chunk, 'settled') || desk.stopped() !== null || woken();
      await condition(goesOn, BEHIND_LOOK_MS, named(`behind chunk ${step.chunk}`));
      return;
    }
    default: {
      // What nobody could find may show itself later, and a stop ends what never left. Nothing is sent before the answer.
      const changed = (): boolean => desk.isStopNews(chunk) || woken();
      const { lookAgainMs = NEEDS_OPERATOR_LOOK_MS } = step.kind === 'needs-operator' ? step : {};
      await condition(changed, lookAgainMs, named('waits for an answer of a person'));
    }
  }
}

/** Sweeps the open chunks until all are at their end: those that a webhook named at once, all of them now and then. */
async function settleAll(desk: PartitionDesk, input: PartitionInput): Promise<void> {
  const { pollMinMs, pollMaxMs } = input.options;
  let delayMs = pollMinMs;
  let pollAtMs = Date.now() + delayMs;
  for (;;) {
    await waitForWork(desk, pollAtMs);
    if (desk.isLeaving()) return;
    if (desk.hasDoneSending() && desk.board.isDone()) {
      if (await isWrittenDown(desk, input)) return;
      continue;
    }
    const hinted = desk.takeHints();
    const pollIsDue = Date.now() >= pollAtMs || desk.takeFirstPoll();
    const chunks = pollIsDue ? desk.board.at('open') : hinted;
    const swept = chunks.length === 0 ? NOTHING : await sweep(desk, input, chunks);
    const moved = swept.settled.length + swept.moved.length > 0;
    const isQuick = moved || swept.webhooksDown === true;
    if (pollIsDue) delayMs = isQuick ? pollMinMs : Math.min(delayMs * 2, pollMaxMs);
    if (pollIsDue) pollAtMs = Date.now() + delayMs;
    if (workflowInfo().continueAsNewSuggested) desk.leave();
  }
}

async function waitForWork(desk: PartitionDesk, pollAtMs: number): Promise<void> {
  const ready = (): boolean =>
    desk.isLeaving() ||
    desk.hasHints() ||
    desk.firstPollIsDue() ||
    (desk.hasDoneSending() && desk.board.isDone());
  const open = desk.board.at('open').length;
  const summary = open === 0 ? 'nothing to look at yet' : `the next look at ${open} mass payouts`;
  await condition(ready, Math.max(1, pollAtMs - Date.now()), { summary });
}

const NOTHING: Swept = { settled: [], moved: [], unread: [], unsent: [] };

async function sweep(
  desk: PartitionDesk,
  input: PartitionInput,
  chunks: readonly number[],
): Promise<Swept> {
  const swept = await sweepChunks({ batchId: input.batchId, chunks });
  desk.noteAlarms(chunks, swept.needsOperator);
  if (swept.hold !== undefined) desk.noteHold(swept.hold);
  for (const chunk of swept.settled) desk.move(chunk, 'settled');
  findAgain(desk, input, swept.unsent);
  return swept;
}

/** The send activity finds what the store has forgotten. */
function findAgain(desk: PartitionDesk, input: PartitionInput, chunks: readonly number[]): void {
  for (const chunk of chunks) {
    desk.forget(chunk);
    desk.alsoRunning(sendToEnd(desk, input, chunk));
  }
}

/**
 * Whether every chunk is at its end. A store that was brought back from an older copy meanwhile may not know it, and people
 * may have sent again what had failed.
 */
async function isWrittenDown(desk: PartitionDesk, input: PartitionInput): Promise<boolean> {
  const chunks = Array.from({ length: input.chunkCount }, (_, i) => input.firstChunk + i);
  const { settled, unsent, needsOperator } = await sweepChunks({ batchId: input.batchId, chunks });
  desk.noteAlarms(chunks, needsOperator);
  const known = new Set([...settled, ...unsent]);
  for (const chunk of chunks) if (!known.has(chunk)) desk.move(chunk, 'open');
  findAgain(desk, input, unsent);
  return settled.length === chunks.length;
}
