import { isClockOff } from '../errors/from-service.ts';
import { isInDoubt, isOnlyThrottled, mayHaveArrived, openAttempts } from './doubt.ts';
import { nextMissMs } from './evidence.ts';
import {
  beyondAtMs,
  type FencePolicy,
  isFenceOverdue,
  wasBeyondFence,
  wasRefusedForAge,
} from './fence.ts';
import {
  isFailingTooLong,
  isFresh,
  isLookupCheckFresh,
  isVerifiedTooRarely,
  LOOKUP_PATIENCE_MS,
  type LookupCheck,
  lookupsSinceLastAttempt,
} from './lookups.ts';
import { delayAt, endOfPause } from './pauses.ts';
import type { SendCommand } from './send-command.ts';
import { payoutReason, type SendState } from './reduce.ts';
import { whileAsked } from './while-asked.ts';
import type { Attempt, Lookup, SendRecord } from './send-record.ts';

export type { OperatorReason, SendCommand } from './send-command.ts';

export type SendPolicy = FencePolicy &
  Readonly<{
    /** What follows an ambiguous create once its fence has passed. */
    resend: 'auto' | 'fenced' | 'operator';
    /** Whether a lookup by key has found a payout that this service had accepted. */
    lookupVerified: boolean;
    /** When lookups were last seen to find what this service had accepted, in milliseconds since 1970; undefined: never. */
    lookupProvenAtMs?: number | undefined;
    /** Whether lookups of this service contradicted themselves: then a person decides about every second create. */
    distrusted?: boolean | undefined;
    /** Whether the batch was stopped: nothing new leaves. */
    stopping: boolean;
    /** Whether the batch saw the chunk created: a store without its mass payout is an older copy. */
    wasCreated: boolean;
    /** The present lookup of a mass payout that this service had accepted; undefined without one. */
    lookupCheck?: LookupCheck | undefined;
    /** How long the answer to a question may take, in milliseconds. */
    requestTimeoutMs: number;
    /**
     * The difference between this machine's clock and the service's, in milliseconds; undefined when the service shows
     * no time.
     */
    clockSkewMs?: number | undefined;
  }>;

/** Waits between lookups while a create is ambiguous; the last one repeats. Milliseconds. */
const LOOKUP_DELAYS_MS = [0, 2_000, 3_000, 10_000, 15_000, 30_000, 60_000] as const;
/** How often a lookup verification without an answer is repeated, in milliseconds. */
const LOOKUP_CHECK_DELAY_MS = 10_000;
/** How long to wait when this machine's clock is too far off to send anything, in milliseconds. */
const CLOCK_DELAY_MS = 30_000;
/** Sends of one chunk that may have arrived; after so many a person decides. */
export const ATTEMPTS_MAX = 3;
/**
 * The limit where each further send rests on misses of verified lookups: then the sends before it created nothing. With
 * four of ten requests lost, one chunk in ten thousand million needs more.
 */
export const VERIFIED_ATTEMPTS_MAX = 25;

/**
 * Returns the next command for one chunk from its durable facts. Pure: the same facts lead to the same command, on any
 * worker. A lookup that finds is proof; one that misses is not, until the fence has passed.
 */
export function decideSend(send: SendState, policy: SendPolicy, nowMs: number): SendCommand {
  const command = decideUnasked(send, policy, nowMs);
  return send.state === 'NEEDS_OPERATOR' ? whileAsked(send, command, nowMs) : command;
}

/** What would follow if no person was asked. */
export function decideUnasked(send: SendState, policy: SendPolicy, nowMs: number): SendCommand {
  const { record, state } = send;
  if (record.answer?.kind === 'abandon' || state === 'ABANDONED') return { kind: 'abandoned' };
  const last = record.attempts.at(-1);
  // A closed chunk stays closed: nothing was sent since.
  if (state === 'NOT_SENT') return { kind: 'closed' };
  if (state === 'REJECTED' && last !== undefined) return { kind: 'rejected', attempt: last };
  if (record.payout !== undefined) return ofPayout(record, record.payout);
  if (record.answer?.kind === 'adopt') {
    return { kind: 'read', massPayoutId: record.answer.massPayoutId };
  }
  if (policy.wasCreated && record.answer === undefined) return findAgain(record, policy, nowMs);
  if (last?.outcome === 'REJECTED') return afterRejection(record, { last, policy, nowMs });
  if (blocksNextAttempt(record, policy)) return whileInDoubt(record, policy, nowMs);
  return policy.stopping ? { kind: 'closed' } : beforeSend(record, policy, nowMs);
}

function ofPayout(record: SendRecord, payout: NonNullable<SendRecord['payout']>): SendCommand {
  const accepted = payout.differences.length === 0;
  if (accepted) return { kind: 'created' };
  // A difference may have been corrected since: an adoption counts only after a new read of the mass payout.
  return record.answer?.kind === 'adopt'
    ? { kind: 'read', massPayoutId: record.answer.massPayoutId }
    : { kind: 'needs-operator', reason: payoutReason(record) };
}

/** Finds a created mass payout again, or shows it to a person. It is not created again, nor its rows called unpaid. */
function findAgain(record: SendRecord, policy: SendPolicy, nowMs: number): SendCommand {
  const lookup = lookupsSinceLastAttempt(record, nowMs).at(-1);
  if (lookup === undefined || !isFresh(lookup, policy, nowMs)) return { kind: 'lookup' };
  return lookup.result === 'failed'
    ? whileLookupFails(record, policy, nowMs)
    : { kind: 'needs-operator', reason: 'CREATED_NOT_FOUND' };
}

/** Whether an attempt may have arrived that nothing has settled since. */
function blocksNextAttempt(record: SendRecord, policy: SendPolicy): boolean {
  if (!isInDoubt(record)) return false;
  // A throttled create was not taken, if verified lookups show that: then there is no need for the fence. This allows
  // another send only. To close the chunk takes as much certainty as after any other doubt.
  const exempt = policy.lookupVerified && !policy.stopping;
  return !(exempt && isOnlyThrottled(record));
}

function beforeSend(record: SendRecord, policy: SendPolicy, nowMs: number): SendCommand {
  const pauseUntilMs = endOfPause(record, policy);
  if (pauseUntilMs > nowMs) {
    const why = 'the service took no request';
    return { kind: 'wait', untilMs: pauseUntilMs, why, inDoubt: false };
  }
  const lookup = lookupsSinceLastAttempt(record, nowMs).at(-1);
  if (lookup === undefined || !isFresh(lookup, policy, nowMs)) return { kind: 'lookup' };
  return lookup.result === 'failed'
    ? whileLookupFails(record, policy, nowMs)
    : nextAttempt(record, policy, nowMs);
}

/** Sends, unless something about this machine or the service is against it at this moment. */
function nextAttempt(record: SendRecord, policy: SendPolicy, nowMs: number): SendCommand {
  const { clockSkewMs } = policy;
  if (isClockOff(clockSkewMs)) {
    const why = `this machine's clock is ${Math.round(clockSkewMs / 1000)} seconds off; set it`;
    const untilMs = nowMs + CLOCK_DELAY_MS;
    return { kind: 'wait', untilMs, why, inDoubt: isInDoubt(record) };
  }
  const command = { kind: 'attempt', n: record.attempts.length + 1 } as const;
  return restsOnMissesAlone(record, policy)
    ? onceLookupsAreVerified(record, { policy, nowMs, command })
    : command;
}

type CheckedSend = Readonly<{ policy: SendPolicy; nowMs: number; command: SendCommand }>;

/** `command`: the command that is allowed once lookups are verified. */
function onceLookupsAreVerified(
  record: SendRecord,
  { policy, nowMs, command }: CheckedSend,
): SendCommand {
  const { lookupCheck } = policy;
  if (lookupCheck === undefined || !isLookupCheckFresh(lookupCheck, nowMs))
    return { kind: 'verify-lookup' };
  if (lookupCheck.result === 'found') return command;
  if (lookupCheck.result === 'missed') return { kind: 'needs-operator', reason: 'LOOKUP_UNPROVEN' };
  if (isVerifiedTooRarely(record, policy.lookupProvenAtMs, nowMs)) {
    return { kind: 'needs-operator', reason: 'LOOKUP_FAILING' };
  }
  const why = 'nobody could be asked whether lookups still find what there is';
  return { kind: 'wait', untilMs: lookupCheck.atMs + LOOKUP_CHECK_DELAY_MS, why, inDoubt: true };
}

/** No attempt is in doubt, but the lookup failed: the service does not show whether it has the key. */
function whileLookupFails(record: SendRecord, policy: SendPolicy, nowMs: number): SendCommand {
  const { answer } = record;
  if (answer?.kind === 'not-created' && answer.attempts === record.attempts.length) {
    return nextAttempt(record, policy, nowMs);
  }
  return isFailingTooLong(lookupsSinceLastAttempt(record, nowMs), nowMs)
    ? { kind: 'needs-operator', reason: 'LOOKUP_FAILING' }
    : lookUpOrWait(record, { nowMs, why: 'the lookup failed' });
}

function afterRejection(
  record: SendRecord,
  { last, policy, nowMs }: Readonly<{ last: Attempt; policy: SendPolicy; nowMs: number }>,
): SendCommand {
  const lookups = lookupsSinceLastAttempt(record, nowMs);
  if (lookups.length === 0) return { kind: 'lookup' };
  // Nothing is wrong with the rows, and no other attempt may have arrived.
  const isRepeated = wasRefusedForAge(last, policy) && !record.attempts.some(mayHaveArrived);
  if (isRepeated && !policy.stopping && record.attempts.length < ATTEMPTS_MAX) {
    return beforeSend(record, policy, nowMs);
  }
  // "Already exists" is a refusal too: when an earlier send may have arrived, a refusal proves nothing. Only a person
  // who looked after it can decide more.
  const { answer } = record;
  const cleared = answer?.kind === 'not-created' && answer.attempts >= last.n;
  if (!cleared && lookups.at(-1)?.result === 'failed') {
    return isFailingTooLong(lookups, nowMs)
      ? { kind: 'needs-operator', reason: 'LOOKUP_FAILING' }
      : lookUpOrWait(record, { nowMs, why: 'the lookup failed' });
  }
  return record.attempts.some(mayHaveArrived) && !cleared
    ? { kind: 'needs-operator', reason: 'REJECTED_AFTER_DOUBT' }
    : { kind: 'rejected', attempt: last };
}

function whileInDoubt(record: SendRecord, policy: SendPolicy, nowMs: number): SendCommand {
  const lookups = lookupsSinceLastAttempt(record, nowMs);
  const beyond = beyondFence(lookups, record, policy);
  const told = beyond.findLast((lookup) => lookup.result !== 'failed');
  if (told !== undefined) return afterFence(record, { lookup: told, beyond }, { policy, nowMs });
  if (isFenceOverdue(record, policy, LOOKUP_PATIENCE_MS)) {
    return { kind: 'needs-operator', reason: 'LOOKUP_FAILING' };
  }
  const why = 'nobody knows yet whether the create arrived';
  const atLatestMs = beyondAtMs(lookups.at(-1), record, policy);
  return lookUpOrWait(record, { nowMs, why, atLatestMs });
}

/**
 * The lookups that were made beyond the fence, since the last answer that was not. Example: three lookups are beyond it, then a
 * node answers that is 40 s behind. That node may still accept the create, so the three count no more.
 */
function beyondFence(
  lookups: readonly Lookup[],
  record: SendRecord,
  policy: SendPolicy,
): readonly Lookup[] {
  const isBeyond = lookups.map((lookup) => wasBeyondFence(lookup, record, policy));
  const within = lookups.findLastIndex(({ result }, i) => result !== 'failed' && !isBeyond[i]);
  return lookups.filter((_, i) => i > within && isBeyond[i]);
}

/** The fence has passed, and a lookup since then did not find the key (or the service has no lookups). */
function afterFence(
  record: SendRecord,
  { lookup, beyond }: Readonly<{ lookup: Lookup; beyond: readonly Lookup[] }>,
  { policy, nowMs }: { policy: SendPolicy; nowMs: number },
): SendCommand {
  if (policy.resend === 'operator') return { kind: 'needs-operator', reason: 'RESEND_BY_OPERATOR' };
  if (policy.distrusted === true) return { kind: 'needs-operator', reason: 'LOOKUP_DISPROVEN' };
  // Another send under the same key may rely on a service that keeps keys; calling the rows unpaid may not.
  const trusted = policy.lookupVerified || (policy.resend === 'fenced' && !policy.stopping);
  if (!trusted || lookup.result === 'unavailable') {
    return { kind: 'needs-operator', reason: 'LOOKUP_UNPROVEN' };
  }
  if (openAttempts(record).length >= attemptsMax(policy)) {
    return { kind: 'needs-operator', reason: 'ATTEMPTS_USED_UP' };
  }
  const lookups = lookupsSinceLastAttempt(record, nowMs);
  if (isFailingTooLong(lookups, nowMs)) {
    return { kind: 'needs-operator', reason: 'LOOKUP_FAILING' };
  }
  const newest = lookups.at(-1);
  const dueMs = nextMissMs({ beyond, newest }, policy);
  if (dueMs !== undefined) {
    const why = 'a second create needs several lookups that do not find the first';
    const wait = { kind: 'wait', untilMs: dueMs, why, inDoubt: isInDoubt(record) } as const;
    return dueMs <= nowMs ? { kind: 'lookup' } : wait;
  }
  if (newest === undefined || !isFresh(newest, policy, nowMs) || newest.result !== 'missed') {
    // A proof that was just made would be lost by waiting.
    const isOnlyOld = newest?.result === 'missed' && policy.lookupCheck?.result === 'found';
    return isOnlyOld
      ? { kind: 'lookup' }
      : lookUpOrWait(record, { nowMs, why: 'the last lookup before it is decided' });
  }
  // To call rows unpaid takes as much certainty as to send them again.
  return policy.stopping
    ? onceLookupsAreVerified(record, { policy, nowMs, command: { kind: 'closed' } })
    : nextAttempt(record, policy, nowMs);
}

const attemptsMax = ({ lookupVerified, resend }: SendPolicy): number =>
  lookupVerified && resend === 'auto' ? VERIFIED_ATTEMPTS_MAX : ATTEMPTS_MAX;

type NextLookup = Readonly<{ nowMs: number; why: string; atLatestMs?: number }>;

/** Looks up now, or waits. `atLatestMs`: the wait ends then at the latest, since that lookup can decide something. */
export function lookUpOrWait(
  record: SendRecord,
  { nowMs, why, atLatestMs }: NextLookup,
): SendCommand {
  const lookups = lookupsSinceLastAttempt(record, nowMs);
  const last = lookups.at(-1);
  if (last === undefined) return { kind: 'lookup' };
  const usualMs = last.atMs + delayAt(LOOKUP_DELAYS_MS, lookups.length);
  const isAwaited = atLatestMs !== undefined && last.atMs < atLatestMs;
  const dueMs = isAwaited ? Math.min(usualMs, atLatestMs) : usualMs;
  if (dueMs <= nowMs) return { kind: 'lookup' };
  return { kind: 'wait', untilMs: dueMs, why, inDoubt: isInDoubt(record) };
}

/**
 * Whether another send of an ambiguous chunk rests on a missing lookup alone: then lookups must be verified again. A
 * throttled create was refused. An attempt that a person has cleared, and a first one, need no verification.
 */
const restsOnMissesAlone = (record: SendRecord, { resend }: SendPolicy): boolean =>
  resend !== 'fenced' && !isOnlyThrottled(record);
