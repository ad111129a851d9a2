import type { ChunkState } from '../../domain/batch/chunk-state.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { hasRoom } from '../../domain/holds/stop-loss.ts';
import { forbidsSending } from '../../domain/sending/answers.ts';
import { MAY_BEGIN } from '../../domain/sending/reduce.ts';
import type {
  Attempt,
  AttemptOutcome,
  ClockReading,
  Lookup,
} from '../../domain/sending/send-record.ts';
import { attemptFacts, intentFacts, lookupFacts, NAMES } from '../audit/facts.ts';
import type { ChunkFacts, Decision } from '../chunk-writes/write.ts';
import { mayPayNow } from '../control/authority.ts';
import type { Schema } from '../database/schema.ts';
import { settledBy, verificationIn } from '../restore/restores.ts';
import { answerOf, type Intent } from './send-records.ts';

/** An attempt as it is written down before it leaves. */
export type NewAttempt = Readonly<{
  n: number;
  timestampMs: number;
  /** Read after `timestampMs`. */
  begun?: ClockReading;
  /** Its id on the unsent list of its process, see `UnsentList`. */
  unsentId?: string;
  bodySha256: string;
  intent: Intent;
}>;

/**
 * Whether an attempt was stored. `taken`: another worker stored it first, or the chunk was closed, found or blocked, or waits for a person. `unverified`: the store may
 * lack sends of it. `held`, `unreleased`, `unapproved`: the batch may not pay now, see `mayPay`. `no-room`: the stop loss
 * lets no more be under way.
 */
export type AttemptStart =
  | 'begun'
  | 'taken'
  | 'unverified'
  | 'held'
  | 'unreleased'
  | 'unapproved'
  | 'no-room';

/** An attempt by its id on an unsent list. */
export type UnsentEnd = Readonly<{ id: string; n: number; endedMs: number }>;

/** How an attempt ended. */
export type AttemptEnd = Omit<Attempt, 'timestampMs' | 'begun' | 'endedMs'> &
  Readonly<{ endedMs: number; outcome: AttemptOutcome }>;

/** Begins an attempt and stores its intent, unless the chunk, or its batch, may not be sent now. */
export function begin(facts: ChunkFacts, attempt: NewAttempt): Decision<AttemptStart> {
  const refusal = refusalOf(facts, attempt);
  if (refusal !== undefined) return { result: refusal };
  const { row: chunk, intentSha256, restore } = facts;
  const intent = newIntentRow(chunk, attempt);
  if (intentSha256 !== undefined && intentSha256 !== intent.payload_sha256) {
    throw new BursarError('INTENT_MISMATCH', { chunk: chunk.chunk, key: chunk.idempotency_key });
  }
  if (facts.attempts.some(({ n }) => n === attempt.n)) return { result: 'taken' };
  const isNew = intentSha256 === undefined;
  const row = newAttemptRow(chunk, attempt);
  return {
    result: 'begun',
    changes: {
      row: { state: 'SENDING', ...NO_ATTENTION, ...settledBy(restore, 'ATTEMPT') },
      attempt: row,
      ...(isNew && { intent }),
    },
    detail: { n: attempt.n, ...sentDetail(chunk) },
    facts: {
      ...(isNew && { [NAMES.intent(chunk.chunk)]: intentFacts(intent) }),
      [NAMES.attempt(chunk.chunk, attempt.n)]: attemptFacts(row),
    },
  };
}

/** Why an attempt may not begin; undefined: it may. */
function refusalOf(facts: ChunkFacts, { n }: NewAttempt): AttemptStart | undefined {
  const { row, restore } = facts;
  // A worker that was away for long may come back to a chunk that was closed, or found, meanwhile.
  if (!maySend(row)) return 'taken';
  if (verificationIn(restore, row) === 'due') return 'unverified';
  const { answer = null } = answerOf(row.answer_json);
  const { chunk, idempotency_key: idempotencyKey } = row;
  const { kind } = mayPayNow(facts.ground(), { chunk, idempotencyKey, answer });
  if (kind !== 'may-pay') return kind;
  // Only the first attempt takes headroom: since then the chunk counts as under way.
  return n === 1 && !hasRoomFor(facts) ? 'no-room' : undefined;
}

function maySend(chunk: Schema['chunk']): boolean {
  const { state, answer_json: answer, mass_payout_id: payout, resend_block_json: block } = chunk;
  if (!MAY_BEGIN.includes(state as ChunkState) || payout !== null || block !== null) return false;
  return !forbidsSending(answerOf(answer).answer);
}

/** Whether the stop loss of the batch lets the chunk be under way. */
function hasRoomFor({ row, risk, stopLoss }: ChunkFacts): boolean {
  const { row_count: rows, currency, total: amount } = row;
  return stopLoss.length === 0 || hasRoom(stopLoss, risk(), { rows, currency, amount });
}

/** The facts of a send, so that a reader of the log needs no other table. The external id ends with the generation. */
const sentDetail = (chunk: Schema['chunk']) => ({
  externalId: chunk.external_id,
  idempotencyKey: chunk.idempotency_key,
  rows: chunk.row_count,
  lines: `${chunk.first_row}-${chunk.last_row}`,
  total: `${chunk.total}:${chunk.currency}`,
});

const newIntentRow = (
  { idempotency_key }: Schema['chunk'],
  { intent, timestampMs }: NewAttempt,
): Schema['intent'] => ({
  idempotency_key,
  payload: intent.payload,
  payload_sha256: intent.payloadSha256,
  created_at_ms: timestampMs,
});

const newAttemptRow = (
  { idempotency_key }: Schema['chunk'],
  attempt: NewAttempt,
): Schema['attempt'] => ({
  idempotency_key,
  n: attempt.n,
  timestamp_ms: attempt.timestampMs,
  body_sha256: attempt.bodySha256,
  outcome: 'PENDING',
  ended_ms: null,
  http_status: null,
  error_code: null,
  trace_id: null,
  retry_after_ms: null,
  clock_id: attempt.begun?.clock ?? null,
  clock_ms: attempt.begun?.ms ?? null,
  unsent_id: attempt.unsentId ?? null,
});

/** Ends an attempt. An attempt that the store does not have stays missing. */
export function end(facts: ChunkFacts, ended: AttemptEnd): Decision<void> {
  const { n, outcome, httpStatus, errorCode, traceId, retryAfterMs } = ended;
  const known = facts.attempts.find((attempt) => attempt.n === n);
  if (known === undefined) return NOTHING;
  const set = {
    outcome,
    ended_ms: ended.endedMs,
    http_status: httpStatus ?? null,
    error_code: errorCode ?? null,
    trace_id: traceId ?? null,
    retry_after_ms: retryAfterMs ?? null,
  };
  return {
    result: undefined,
    changes: { attempt: { ...known, ...set } },
    detail: { n, outcome, httpStatus, errorCode, traceId },
    facts: { [NAMES.attempt(facts.row.chunk, n)]: set },
  };
}

/** Ends an attempt that is on the unsent list of a process that has ended: its request never left. Returns whether it was open. */
export function endUnsent(facts: ChunkFacts, unsent: UnsentEnd): Decision<boolean> {
  const { n, id, endedMs } = unsent;
  const found = facts.attempts.find((attempt) => attempt.n === n && attempt.unsent_id === id);
  if (found?.outcome !== 'PENDING') return { result: false };
  return { ...end(facts, { n, outcome: 'NOT_SENT', endedMs }), result: true };
}

/** Adds a lookup of the key. Lookups of one key are counted, for they have no name of their own. */
export function addLookup({ row, lookups }: ChunkFacts, lookup: Lookup): Decision<void> {
  const added = {
    idempotency_key: row.idempotency_key,
    at_ms: lookup.atMs,
    attempts: lookup.attempts,
    result: lookup.result,
    server_date_ms: lookup.serverDateMs ?? null,
    clock_id: lookup.asked?.clock ?? null,
    clock_ms: lookup.asked?.ms ?? null,
    elapsed_ms: lookup.elapsedMs ?? null,
    epoch: lookup.epoch ?? null,
    n: lookups + 1,
  };
  return {
    result: undefined,
    changes: { lookup: added },
    detail: { result: lookup.result, attempts: lookup.attempts },
    facts: { [NAMES.lookup(row.chunk, lookups + 1)]: lookupFacts(added) },
  };
}

export const NOTHING: Decision<void> = { result: undefined };

export const NO_ATTENTION = { attention_reason: null, attention_since_ms: null } as const;
