import { sleep } from '@temporalio/activity';
import type { SendActivities, SendChunkInput, SendStep } from '../contract/activities.ts';
import { readBatchOptions } from '../contract/batch.ts';
import type { Resolve } from '../contract/messages.ts';
import { BursarError } from '../domain/errors/bursar-error.ts';
import { canceledReason } from '../domain/batch/stop-reason.ts';
import { isPossible } from '../domain/sending/answers.ts';
import { isAuthRefusal, isInDoubt, mayBeForgotten } from '../domain/sending/doubt.ts';
import {
  decideSend,
  type Reproof,
  type SendCommand,
  type SendPolicy,
} from '../domain/sending/decide.ts';
import { elapsedMsAt } from '../domain/sending/fence.ts';
import { refusalText } from '../domain/sending/refusal-text.ts';
import type { SendState } from '../domain/sending/reduce.ts';
import type { Lookup, OperatorAnswer } from '../domain/sending/send-record.ts';
import { refuseOther } from './adoptable.ts';
import { createAttempt } from './attempt.ts';
import { barReason } from '../store/bars.ts';
import type { BatchFacts } from '../store/batches.ts';
import type { ChunkRecord } from '../store/chunks.ts';
import { atBoundary } from './boundary.ts';
import { heldStep, holdBefore } from './hold-before.ts';
import { lookUpKey } from './lookup.ts';
import { proveLookup, proveLookupAgain } from './prove-lookup.ts';
import type { SendDeps, Sending } from './sending.ts';
import { putHold } from './put-hold.ts';
import { noteOlderStore, restoredOf } from './restored.ts';
import { stopAtLoss } from './stop-loss.ts';
import { foundPayout, readAdopted } from './verify-payout.ts';

/** Sends chunks. Called again for the same chunk, it goes on from what is written down; it never starts over. */
export const createSendActivities = (deps: SendDeps): SendActivities => ({
  sendChunk: (input) => atBoundary(() => sendChunk(deps, input)),

  answerChunk: ({ batchId, answer }) => atBoundary(() => answerChunk(deps, batchId, answer)),
});

async function answerChunk(deps: SendDeps, batchId: string, answer: Resolve): Promise<void> {
  const chunk = String(answer.chunk);
  const { idempotencyKey } = await deps.store.chunks.get(batchId, answer.chunk);
  const ref = { batchId, chunk: answer.chunk, idempotencyKey };
  const record = await deps.store.sends.record(ref);
  if (!isPossible(record, answer.answer)) {
    throw new BursarError('ANSWER_IMPOSSIBLE', { batchId, chunk });
  }
  if (answer.answer === 'adopt') await refuseOther(deps, ref, answer.massPayoutId);
  const attempts = record.attempts.length;
  const meant = answer.answer === 'not-created' ? (answer.attempts ?? attempts) : attempts;
  if (meant !== attempts) {
    const numbers = { attempts: String(attempts), meant: String(meant) };
    throw new BursarError('CHUNK_SENT_SINCE', { batchId, chunk, ...numbers });
  }
  const at = { atMs: deps.nowMs(), attempts };
  const { by: actor, ...detail } = answer;
  await deps.store.sends.setAnswer(ref, toAnswer(answer, at), { actor, detail });
}

async function sendChunk(deps: SendDeps, input: SendChunkInput): Promise<SendStep> {
  const sending = await open(deps, input);
  let known: Known = await readAgain(deps, sending);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const next = await advance(deps, sending, known);
    if ('send' in next) {
      known = next;
      continue;
    }
    if (next.kind === 'created' && input.proveLookup) await proveLookup(deps, sending);
    return next;
  }
  return {
    kind: 'waiting',
    delayMs: ROUNDS_DELAY_MS,
    why: CHANGES,
    inDoubt: isInDoubt(known.send.record),
  };
}

/** What one sending does at most before the chunk rests for a while: far more than any needs. */
const ROUNDS_MAX = 50;
const ROUNDS_DELAY_MS = 60_000;
const CHANGES = 'what is known of it changes while it is decided';

async function open(deps: SendDeps, input: SendChunkInput): Promise<Sending> {
  const { store, service, nowMs } = deps;
  const begunAtMs = nowMs();
  const batch = await store.batches.facts(input.batchId);
  if (batch.digest !== input.digest) {
    throw new BursarError('DIGEST_MISMATCH', { expected: input.digest, found: batch.digest });
  }
  const chunk = await store.chunks.get(input.batchId, input.chunk);
  const { batchId } = input;
  return {
    begunAtMs,
    batch,
    options: readBatchOptions(batch.optionsJson),
    chunk,
    ref: { batchId, chunk: input.chunk, idempotencyKey: chunk.idempotencyKey },
    proof: await store.proofs.find(batch.account, service.baseUrl),
    stopped: input.stopped ?? stopReasonOf(batch, chunk),
    wasCreated: input.wasCreated,
    restored: await restoredOf(deps, batch),
  };
}

/** What the store knows to be against the chunk, though nobody has told whoever drives its batch. */
function stopReasonOf({ canceled }: BatchFacts, { barred }: ChunkRecord): string | null {
  if (canceled !== null) return canceledReason(canceled);
  return barred === null ? null : barReason(barred);
}

/** What is known now, while there is more to do at once. */
type Known = Readonly<{ send: SendState; reproof?: Reproof }>;

/** Carries out one command. What it wrote down is read back before the next one is decided. */
async function advance(
  deps: SendDeps,
  sending: Sending,
  { send, reproof }: Known,
): Promise<SendStep | Known> {
  const policy = { ...policyOf(deps, sending), reproof };
  const command = decideSend(send, policy, deps.nowMs());
  switch (command.kind) {
    case 'lookup':
      // A proof that was just made stays one.
      return { ...(await lookUp(deps, sending, send)), ...(reproof && { reproof }) };
    case 'read':
      await readAdopted(deps, sending, command.massPayoutId);
      return readAgain(deps, sending);
    case 'prove':
      return { send, reproof: await proveLookupAgain(deps, sending) };
    case 'attempt': {
      const held = await holdBefore(deps, sending, command.n);
      return held ?? (await attempt(deps, sending, command.n)) ?? readAgain(deps, sending);
    }
    default:
      return (await conclude(deps, sending, { command, send })) ?? readAgain(deps, sending);
  }
}

const readAgain = async ({ store }: SendDeps, { ref }: Sending): Promise<Known> => ({
  send: await store.sends.state(ref),
});

const policyOf = (
  { policy, service }: SendDeps,
  { proof, stopped, wasCreated, restored }: Sending,
): SendPolicy => ({
  ...policy,
  clockSkewMs: service.api.clockSkewMs(),
  stopping: stopped !== null,
  wasCreated,
  restoredAtMs: restored?.atMs,
  lookupProven: proof !== undefined,
  lookupLagMs: proof?.lagMs ?? 0,
});

/**
 * Asks for the key. What is found, or may count later, is written down; that nothing is found before the first send
 * matters to this activity alone, since nothing can be on its way yet.
 */
async function lookUp(deps: SendDeps, sending: Sending, send: SendState): Promise<Known> {
  const { record } = send;
  const { store, service, nowMs } = deps;
  const { batch, chunk, ref, proof, restored } = sending;
  const attempts = record.attempts.length;
  const startedMs = nowMs();
  const asked = deps.readClock();
  const elapsedMs = elapsedMsAt(record, asked, restored);
  const look = await lookUpKey(service, ref.idempotencyKey, proof?.operation);
  const { result, payout, serverDateMs, askedAtMs = startedMs } = look;
  const waitedMs = deps.readClock().ms - asked.ms;
  // Answers to other questions may have come from a node that is further behind.
  const leastMs = Math.min(serverDateMs ?? NaN, service.api.serverMsAtLeast() ?? Infinity);
  const date = Number.isNaN(leastMs) ? {} : { serverDateMs: leastMs - waitedMs };
  const lookup: Lookup = { atMs: askedAtMs, attempts, result, ...date, asked, elapsedMs };
  const isFirst = attempts === 0 && !mayBeForgotten(record, restored?.atMs);
  if (isFirst && (result === 'missed' || result === 'unavailable')) {
    return { send: { ...send, record: { ...record, lookups: [...record.lookups, lookup] } } };
  }
  const found = payout === undefined ? undefined : foundPayout(batch.account, chunk, payout);
  await store.sends.recordLookup(ref, lookup, found);
  // Nobody else sends under this key; a record that does not name it may be any other.
  const isOurs = payout?.idempotencyKey !== undefined && found?.differences.length === 0;
  const isForgotten = attempts === 0 && isOurs;
  if (isForgotten && restored === undefined) await noteOlderStore(deps, batch);
  return readAgain(deps, sending);
}

async function attempt(deps: SendDeps, sending: Sending, n: number): Promise<SendStep | undefined> {
  const start = await createAttempt(deps, sending, n);
  if (start === 'begun') return undefined;
  if (start === 'held') return heldStep(deps.store, sending.ref.batchId);
  if (start === 'unreleased') throw new BursarError('NOT_RELEASED', sending.ref);
  if (start === 'no-room') return untilThereIsRoom(deps, sending);
  if (start === 'late')
    return { kind: 'waiting', delayMs: 0, why: 'it took too long', inDoubt: n > 1 };
  // Somebody else wrote this attempt first, or the chunk was closed: look at the facts again after a moment.
  await sleep(OTHER_WORKER_DELAY_MS);
  return undefined;
}

/** What a chunk waits for that the stop loss does not let out yet. */
async function untilThereIsRoom(
  { store, nowMs }: SendDeps,
  { ref, options }: Sending,
): Promise<SendStep> {
  const hold = await stopAtLoss({ store, nowMs }, ref.batchId, options.stopLoss);
  if (hold !== undefined) return { kind: 'held', hold };
  const chunk = await store.sends.nearestUnderWay(ref);
  return chunk === undefined
    ? { kind: 'waiting', delayMs: ROOM_DELAY_MS, why: 'the stop loss', inDoubt: false }
    : { kind: 'behind', chunk };
}

/** When to look again for room where nothing is under way any more, in milliseconds. */
const ROOM_DELAY_MS = 5_000;

/** How long another worker that is at the same chunk gets before we look again, in milliseconds. */
const OTHER_WORKER_DELAY_MS = 1_000;

type LastCommand = Exclude<SendCommand, { kind: 'lookup' | 'read' | 'prove' | 'attempt' }>;

/** What made one mass payout another than it should be may do the same to others. */
async function holdForDifference(deps: SendDeps, { ref }: Sending): Promise<void> {
  const reason = `the mass payout of chunk ${ref.chunk} is not what was asked for`;
  await putHold(deps, ref.batchId, { kind: 'PAUSE', reason });
}

/** Writes down how the sending of the chunk stands, and says so; undefined when that has changed meanwhile. */
async function conclude(
  deps: SendDeps,
  sending: Sending,
  { command, send }: { command: LastCommand; send: SendState },
): Promise<SendStep | undefined> {
  const { store, nowMs } = deps;
  const { ref, chunk, stopped, options } = sending;
  const { record, state: from } = send;
  const attempts = record.attempts.length;
  switch (command.kind) {
    case 'created':
      return command;
    case 'asked':
      return { kind: 'needs-operator' };
    case 'wait': {
      const delayMs = Math.max(0, command.untilMs - nowMs());
      return { kind: 'waiting', delayMs, why: command.why, inDoubt: command.inDoubt };
    }
    case 'rejected': {
      const reason = refusalText(command.attempt);
      const concluded =
        from === 'REJECTED' || (await store.sends.setRejected(ref, { attempts, from, reason }));
      const halt = isAuthRefusal(command.attempt.httpStatus);
      if (concluded) await stopAtLoss({ store, nowMs }, ref.batchId, options.stopLoss);
      return concluded ? { kind: 'rejected', reason, halt } : undefined;
    }
    case 'abandoned':
      await store.sends.setAbandoned(
        ref,
        'given up by an operator; nobody knows whether it was paid',
      );
      return { kind: 'abandoned' };
    case 'closed': {
      if (from === 'NOT_SENT') return command;
      const reason = stopped ?? 'the batch was stopped';
      return (await store.sends.setNotSent(ref, { attempts, from, reason })) ? command : undefined;
    }
    case 'needs-operator': {
      const sinceMs = chunk.attentionSinceMs ?? nowMs();
      const asked = await store.sends.setNeedsOperator(
        ref,
        { attempts, from, reason: command.reason },
        sinceMs,
      );
      if (asked && command.reason === 'PAYOUT_DIFFERS') await holdForDifference(deps, sending);
      return asked ? command : undefined;
    }
  }
}

function toAnswer(answer: Resolve, at: { atMs: number; attempts: number }): OperatorAnswer {
  switch (answer.answer) {
    case 'adopt':
      return { kind: 'adopt', massPayoutId: answer.massPayoutId, atMs: at.atMs };
    case 'not-created':
      return { kind: 'not-created', ...at };
    case 'abandon':
      return { kind: 'abandon', atMs: at.atMs };
  }
}
