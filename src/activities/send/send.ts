import type { ChunkSendFacts, SendDeps, Sending } from './types.ts';
import { sleep } from '@temporalio/activity';
import type { SendStep } from '../../contract/sending.ts';
import { isInDoubt } from '../../domain/sending/doubt.ts';
import { decideSend, type SendPolicy } from '../../domain/sending/decide.ts';
import {
  isToVerify,
  nextVerification,
  type VerifyCommand,
} from '../../domain/restore/verification.ts';
import type { SendCommand } from '../../domain/sending/send-command.ts';
import { isWorthNothing } from '../../domain/sending/lookups.ts';
import { wasFoundAfterMiss } from '../../domain/sending/evidence.ts';
import { elapsedMsAt, mustBeVisible } from '../../domain/sending/fence.ts';
import type { Lookup } from '../../domain/sending/send-record.ts';
import { createAttempt } from './attempt.ts';
import type { LookupTrust } from '../../store/sending/lookup-verification.ts';
import { conclude } from './conclude-send.ts';
import { heldStep, holdBefore, holdUntilApproved } from './hold-before.ts';
import { distrust } from '../service/distrust.ts';
import { type LookupCare, lookUpKey } from '../service/lookup.ts';
import { noteAnswers, verifyLookup, verifyLookupAgain } from '../service/verify-lookups.ts';
import { noteOlderStore } from '../recheck/restored-store.ts';
import { doubtedRecord, noteVerified, readChunk } from './known.ts';
import { stopAtLoss } from './stop-loss.ts';
import { foundPayout, readAdopted } from '../service/verify-payout.ts';

/** Sends a chunk. Called again for the same chunk, it goes on from the stored facts; it never starts over. */
export async function sendChunk(deps: SendDeps, sending: Sending): Promise<SendStep> {
  let known: ChunkSendFacts = await readChunk(deps, sending);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const next = await advance(deps, sending, known);
    if ('send' in next) {
      known = next;
      continue;
    }
    const again = next.kind === 'created' ? await afterCreate(deps, sending, known) : undefined;
    if (again === undefined) return withProgress(deps, sending, { step: next, known });
    known = again;
  }
  return {
    kind: 'waiting',
    delayMs: ROUNDS_DELAY_MS,
    why: CHANGES,
    inDoubt: isInDoubt(known.send.record),
  };
}

/** Adds to a wait for a verification how far the batch is. */
async function withProgress(
  { store }: SendDeps,
  { ref }: Sending,
  { step, known }: Readonly<{ step: SendStep; known: ChunkSendFacts }>,
): Promise<SendStep> {
  if (step.kind !== 'waiting' || known.send.verification !== 'due') return step;
  const verifying = await store.restores.progress(ref.batchId);
  return verifying === null ? step : { ...step, verifying };
}

/**
 * Tests lookups with a create that has its mass payout. Returns the facts when they have changed: the service showed a
 * second mass payout. Any created chunk proves the lookup where there is no proof.
 */
async function afterCreate(
  deps: SendDeps,
  sending: Sending,
  known: ChunkSendFacts,
): Promise<ChunkSendFacts | undefined> {
  const { ref, batch, trust, proveLookup } = sending;
  if (wasFoundAfterMiss(doubtedRecord(known), policyOf(deps, sending))) {
    const { batchId, chunk } = ref;
    await distrust(deps, batch, { batchId, chunk, reason: 'FOUND_AFTER_MISS' });
    return undefined;
  }
  if (trust.disproof !== undefined || (!proveLookup && trust.verified !== undefined))
    return undefined;
  return (await verifyLookup(deps, sending)) ? readChunk(deps, sending) : undefined;
}

/** What one sending does at most before the chunk rests for a while: far more than any needs. */
const ROUNDS_MAX = 50;
const ROUNDS_DELAY_MS = 60_000;
const CHANGES = 'what is known of it changes while it is decided';

/** The next command. A chunk of a restored store is verified before anything else. */
function commandFor(
  deps: SendDeps,
  sending: Sending,
  { send, restore, lookupCheck }: ChunkSendFacts,
): SendCommand | VerifyCommand {
  const policy = { ...policyOf(deps, sending), lookupCheck };
  return restore !== undefined && isToVerify(send)
    ? nextVerification(send, { restore, policy }, deps.nowMs())
    : decideSend(send, policy, deps.nowMs());
}

/** Carries out one command. What it wrote down is read back before the next one is decided. */
async function advance(
  deps: SendDeps,
  sending: Sending,
  known: ChunkSendFacts,
): Promise<SendStep | ChunkSendFacts> {
  const { send, lookupCheck } = known;
  // The result of the last check is kept while only lookups follow it.
  const kept = lookupCheck === undefined ? {} : { lookupCheck };
  const command = commandFor(deps, sending, known);
  switch (command.kind) {
    case 'lookup':
      return { ...(await lookUp(deps, sending, known)), ...kept };
    case 'verified':
      await noteVerified(deps, sending, { known, by: command.by });
      return { ...(await readChunk(deps, sending)), ...kept };
    case 'read':
      await readAdopted(deps, sending, command.massPayoutId);
      return readChunk(deps, sending);
    case 'verify-lookup':
      return verifyLookups(deps, sending, known);
    case 'withdraw':
      await deps.store.sends.withdrawQuestion(sending.ref, send.record.attempts.length);
      return readChunk(deps, sending);
    case 'attempt': {
      const held = await holdBefore(deps, sending, { n: command.n, hold: known.hold });
      return held ?? (await attempt(deps, sending, command.n)) ?? readChunk(deps, sending);
    }
    default:
      return (await conclude(deps, sending, { command, send })) ?? readChunk(deps, sending);
  }
}

/**
 * Checks whether lookups still find an existing mass payout. After a contradiction everything is decided again, with
 * that fact.
 */
async function verifyLookups(
  deps: SendDeps,
  sending: Sending,
  known: ChunkSendFacts,
): Promise<SendStep | ChunkSendFacts> {
  const { batch, ref, trust } = sending;
  const policy = policyOf(deps, sending);
  const isOld = (signedAtMs: number): boolean => mustBeVisible(signedAtMs, policy, deps.nowMs());
  const { contradiction, ...lookupCheck } = await verifyLookupAgain(deps, {
    batch,
    ref,
    trust,
    isOld,
  });
  if (contradiction === undefined) return { ...known, lookupCheck };
  await distrust(deps, batch, contradiction);
  return { kind: 'waiting', delayMs: 0, why: CHANGES, inDoubt: isInDoubt(known.send.record) };
}

const policyOf = (
  { policy, service }: SendDeps,
  { trust: { verified, disproof }, stopped, wasCreated }: Sending,
): SendPolicy => ({
  ...policy,
  clockSkewMs: service.api.clockSkewMs(),
  stopping: stopped !== null,
  wasCreated,
  lookupVerified: verified !== undefined,
  lookupProvenAtMs: verified?.provenAtMs,
  distrusted: disproof !== undefined,
  lookupLagMs: verified?.lagMs ?? 0,
});

/**
 * Looks the key up. A find, or a miss that may count later, is stored. A miss before the first send matters to this
 * activity alone, since nothing can be on its way yet.
 */
async function lookUp(
  deps: SendDeps,
  sending: Sending,
  known: ChunkSendFacts,
): Promise<ChunkSendFacts> {
  const { send, restore, hold } = known;
  const { record } = send;
  const { store, service, nowMs } = deps;
  const { batch, chunk, ref, trust } = sending;
  const attempts = record.attempts.length;
  const startedMs = nowMs();
  const asked = deps.readClock();
  const elapsedMs = elapsedMsAt(doubtedRecord(known), asked);
  const isFirst = attempts === 0 && restore === undefined;
  const shown = await lookUpKey(service, ref.idempotencyKey, careOf(trust, isFirst));
  deps.observer?.lookup(ref, shown);
  await noteAnswers(deps, sending, shown);
  const { result, payout, serverDateMs, askedAtMs = startedMs } = shown;
  const waitedMs = deps.readClock().ms - asked.ms;
  // Answers to other questions may have come from a node that is further behind.
  const leastMs = Math.min(serverDateMs ?? NaN, service.api.serverMsAtLeast() ?? Infinity);
  const date = Number.isNaN(leastMs) ? {} : { serverDateMs: leastMs - waitedMs };
  const epoch = restore === undefined ? {} : { epoch: restore.epoch };
  const lookup: Lookup = { atMs: askedAtMs, attempts, result, ...date, asked, elapsedMs, ...epoch };
  if (isFirst && isWorthNothing(record, result)) {
    return { send: { ...send, record: { ...record, lookups: [...record.lookups, lookup] } }, hold };
  }
  const found = payout === undefined ? undefined : foundPayout(batch.account, chunk, payout);
  await store.sends.recordLookup(ref, lookup, found);
  // Where the first is not ours a person is asked in any case, and may yet adopt the other.
  for (const other of found?.differences.length === 0 ? shown.others : []) {
    await store.sends.setPayout(ref, foundPayout(batch.account, chunk, other));
  }
  // No other program sends under this key; a record that does not name it may be any other.
  const isOurs = payout?.idempotencyKey !== undefined && found?.differences.length === 0;
  const next = await readChunk(deps, sending);
  // Another worker may have sent it since: then its attempt is in this store.
  const isForgotten = next.send.record.attempts.length === 0 && isOurs;
  if (isForgotten && restore === undefined) await noteOlderStore(deps, batch);
  return next;
}

/**
 * Before the first send one lookup is enough: nothing can be on its way. An unreadable answer does not stop it either:
 * a service may answer "not found" in a form of its own. After a send every operation must miss, readably.
 */
const careOf = ({ verified, answering }: LookupTrust, isFirst: boolean): LookupCare => {
  if (!isFirst) return { answering, isThorough: true };
  return verified === undefined ? {} : { operations: [verified.operation] };
};

async function attempt(deps: SendDeps, sending: Sending, n: number): Promise<SendStep | undefined> {
  const start = await createAttempt(deps, sending, n);
  if (start === 'begun' || start === 'stale') return undefined;
  if (start === 'unverified') return { kind: 'waiting', delayMs: 0, why: CHANGES, inDoubt: n > 1 };
  if (start === 'held') return heldStep(deps.store, sending.ref.batchId);
  if (start === 'unreleased' || start === 'unapproved') {
    return holdUntilApproved(deps, sending.ref.batchId, start);
  }
  if (start === 'no-room') return untilThereIsRoom(deps, sending);
  if (start === 'late')
    return { kind: 'waiting', delayMs: 0, why: 'it took too long', inDoubt: n > 1 };
  // Another worker stored this attempt first, or the chunk was closed: the facts are read again after a moment.
  await sleep(OTHER_WORKER_DELAY_MS);
  return undefined;
}

/** The wait of a chunk that the stop loss does not let out yet. */
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

/** When to check the headroom again where nothing is under way any more, in milliseconds. */
const ROOM_DELAY_MS = 5_000;

/** How long another worker with the same chunk gets before the facts are read again, in milliseconds. */
const OTHER_WORKER_DELAY_MS = 1_000;
