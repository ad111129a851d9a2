import type { ChunkState } from '../domain/batch/chunk-state.ts';
import { BursarError } from '../domain/errors/bursar-error.ts';
import type {
  Attempt,
  AttemptOutcome,
  Lookup,
  OperatorAnswer,
  SendRecord,
} from '../domain/sending/send-record.ts';
import { SENDABLE } from '../domain/sending/reduce.ts';
import type { Outcome } from '../domain/settling/outcome.ts';
import type { Write } from './group-commit.ts';
import { openHolds } from './holds.ts';
import { hasRoomFor, nearestUnderWay } from './room.ts';
import type { Schema } from './schema.ts';
import { askOperator, setAnswer } from './send-answers.ts';
import { type ChunkRef, type Intent, readIntent, readRecord } from './send-records.ts';
import type { Db } from './sqlite.ts';

export type { ChunkRef, Intent } from './send-records.ts';

/** An attempt as it is written down before it leaves. */
export type NewAttempt = Readonly<{
  n: number;
  timestampMs: number;
  bodySha256: string;
  intent: Intent;
}>;

/**
 * What came of writing an attempt down. `taken`: somebody else wrote it first, or the chunk was closed. `held`, `unreleased`:
 * the batch may not pay now. `no-room`: the stop loss lets no more be under way.
 */
export type AttemptStart = 'begun' | 'taken' | 'held' | 'unreleased' | 'no-room';

/** How an attempt ended. */
export type AttemptEnd = Omit<Attempt, 'timestampMs' | 'endedMs'> &
  Readonly<{ endedMs: number; outcome: AttemptOutcome }>;

/** The mass payout that the service has for a chunk, and how it differs from the intent. */
export type FoundPayout = Readonly<{
  id: string;
  state: string;
  fee: string | null;
  differences: readonly string[];
}>;

/**
 * The durable facts about sending: intents, attempts, lookups, and what came of them, as `reduceSend` of the domain has them.
 * Every write is committed on return.
 */
export const createSendStore = (db: Db, write: Write) => ({
  record: (ref: ChunkRef): Promise<SendRecord> => readRecord(db, ref),

  intent: (idempotencyKey: string): Promise<Intent | undefined> => readIntent(db, idempotencyKey),

  /**
   * Writes intent and attempt down before anything leaves; only `begun` allows to send. Throws INTENT_MISMATCH when the key
   * already stands for another content.
   */
  beginAttempt: (ref: ChunkRef, attempt: NewAttempt): Promise<AttemptStart> =>
    write((tx) => beginAttempt(tx, ref, attempt)),

  /** Other chunks that a mass payout stands for already, in words. */
  otherOwners: (ref: ChunkRef, massPayoutId: string): Promise<string[]> =>
    otherOwners(db, ref, massPayoutId),

  /** The chunk that is under way and nearest to another one by its number; undefined when there is none. */
  nearestUnderWay: (ref: ChunkRef): Promise<number | undefined> => nearestUnderWay(db, ref),

  /** Writes down how an attempt ended and, with it, the mass payout that the answer held. */
  endAttempt: (ref: ChunkRef, end: AttemptEnd, payout?: FoundPayout): Promise<void> =>
    write(async (tx) => {
      await endAttempt(tx, ref, end);
      if (payout !== undefined) await setPayout(tx, ref, payout);
    }),

  /** Writes a lookup down and, with it, what it found. */
  recordLookup: (ref: ChunkRef, lookup: Lookup, payout?: FoundPayout): Promise<void> =>
    write(async (tx) => {
      await insertLookup(tx, ref, lookup);
      if (payout !== undefined) await setPayout(tx, ref, payout);
    }),

  setPayout: (ref: ChunkRef, payout: FoundPayout): Promise<void> =>
    write((tx) => setPayout(tx, ref, payout)),

  /** The service refused the create for certain: its rows were not paid. */
  setRejected: (ref: ChunkRef, decided: Decided): Promise<boolean> =>
    write((tx) => conclude(tx, { ref, decided }, atEnd('REJECTED', 'FAILED', decided.reason))),

  /** Nothing was created and nothing will be: the batch was stopped first. */
  setNotSent: (ref: ChunkRef, decided: Decided): Promise<boolean> =>
    write((tx) => conclude(tx, { ref, decided }, atEnd('NOT_SENT', 'NOT_SENT', decided.reason))),

  /** A person gave the chunk up: nobody knows whether its rows were paid, and nothing will resend them. */
  setAbandoned: (ref: ChunkRef, reason: string): Promise<void> =>
    setState(db, ref, atEnd('ABANDONED', 'UNKNOWN', reason)),

  /** Answers false, and changes nothing, when somebody has found, refused or closed the chunk since it was decided. */
  setNeedsOperator: (ref: ChunkRef, reason: string, sinceMs: number): Promise<boolean> =>
    write((tx) => askOperator(tx, ref, { reason, sinceMs })),

  /**
   * Writes an operator's answer down, once: of two people who answer at the same time the second is refused, unless both
   * say the same. Throws CHUNK_NOT_WAITING.
   */
  setAnswer: (ref: ChunkRef, answer: OperatorAnswer): Promise<void> =>
    write((tx) => setAnswer(tx, ref, answer)),

  clearAnswer: (ref: ChunkRef): Promise<void> => setState(db, ref, { answer_json: null }),
});

/** What was decided, and how many attempts were known when it was. */
export type Decided = Readonly<{ attempts: number; reason: string }>;

/**
 * Says for good that a chunk's rows were not paid, if what it was decided from is still all there is. Answers false when
 * another worker has sent, or found, something since: then it must be decided anew.
 */
async function conclude(
  tx: Db,
  { ref, decided }: { ref: ChunkRef; decided: Decided },
  end: Partial<Schema['chunk']>,
): Promise<boolean> {
  const { known } = await tx
    .selectFrom('attempt')
    .select(({ fn }) => fn.countAll<number>().as('known'))
    .where('idempotency_key', '=', ref.idempotencyKey)
    .executeTakeFirstOrThrow();
  if (known !== decided.attempts) return false;
  const changed = await tx
    .updateTable('chunk')
    .set(end)
    .where('batch_id', '=', ref.batchId)
    .where('chunk', '=', ref.chunk)
    .where('mass_payout_id', 'is', null)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

const atEnd = (state: ChunkState, outcome: Outcome, reason: string): Partial<Schema['chunk']> => ({
  state,
  attention_reason: null,
  attention_since_ms: null,
  rest_outcome: outcome,
  rest_reason: reason,
  final: 1,
});

async function beginAttempt(tx: Db, ref: ChunkRef, attempt: NewAttempt): Promise<AttemptStart> {
  if (!(await maySend(tx, ref))) return 'taken';
  const batch = await batchOf(tx, ref);
  if (batch.released_at_ms === null) return 'unreleased';
  if ((await openHolds(tx, ref.batchId)).length > 0) return 'held';
  // A chunk that was begun counts as under way since then; it must not wait for itself.
  if (attempt.n === 1 && !(await hasRoomFor(tx, ref, batch.options_json))) return 'no-room';
  await reserve(tx, ref, attempt);
  const written = await tx
    .insertInto('attempt')
    .values(newAttemptRow(ref, attempt))
    .onConflict((conflict) => conflict.columns(['idempotency_key', 'n']).doNothing())
    .executeTakeFirst();
  if (written.numInsertedOrUpdatedRows !== 1n) return 'taken';
  await setState(tx, ref, { state: 'SENDING', attention_reason: null, attention_since_ms: null });
  return 'begun';
}

const batchOf = (db: Db, { batchId }: ChunkRef) =>
  db
    .selectFrom('batch')
    .select(['released_at_ms', 'options_json'])
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();

async function endAttempt(tx: Db, ref: ChunkRef, end: AttemptEnd): Promise<void> {
  await tx
    .updateTable('attempt')
    .set({
      outcome: end.outcome,
      ended_ms: end.endedMs,
      http_status: end.httpStatus ?? null,
      error_code: end.errorCode ?? null,
      trace_id: end.traceId ?? null,
      retry_after_ms: end.retryAfterMs ?? null,
    })
    .where('idempotency_key', '=', ref.idempotencyKey)
    .where('n', '=', end.n)
    .execute();
}

async function insertLookup(tx: Db, ref: ChunkRef, lookup: Lookup): Promise<void> {
  await tx
    .insertInto('lookup')
    .values({
      idempotency_key: ref.idempotencyKey,
      at_ms: lookup.atMs,
      attempts: lookup.attempts,
      result: lookup.result,
      server_date_ms: lookup.serverDateMs ?? null,
    })
    .execute();
}

/** A worker that was away for long may come back to a chunk that was closed, or found, meanwhile; it must not send it. */
async function maySend(db: Db, ref: ChunkRef): Promise<boolean> {
  const { state, mass_payout_id: payout, barred_json: barred } = await chunkState(db, ref);
  return SENDABLE.includes(state as ChunkState) && payout === null && barred === null;
}

const chunkState = (db: Db, ref: ChunkRef) =>
  db
    .selectFrom('chunk')
    .select(['state', 'mass_payout_id', 'barred_json'])
    .where('batch_id', '=', ref.batchId)
    .where('chunk', '=', ref.chunk)
    .executeTakeFirstOrThrow();

/** Writes the intent down; the one that stands already must be the same. */
async function reserve(db: Db, ref: ChunkRef, { intent, timestampMs }: NewAttempt): Promise<void> {
  const { numInsertedOrUpdatedRows: inserted } = await db
    .insertInto('intent')
    .values({
      idempotency_key: ref.idempotencyKey,
      payload: intent.payload,
      payload_sha256: intent.payloadSha256,
      created_at_ms: timestampMs,
    })
    .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
    .executeTakeFirstOrThrow();
  if (inserted === 1n) return;
  const written = await readIntent(db, ref.idempotencyKey);
  if (written?.payloadSha256 !== intent.payloadSha256) {
    throw new BursarError('INTENT_MISMATCH', { chunk: ref.chunk, key: ref.idempotencyKey });
  }
}

/**
 * A chunk that has its mass payout is CREATED, or waits for a person when the two differ. One mass payout is never two
 * chunks. What was said of the rows before it was found does not count any more, unless the chunk was settled since.
 */
async function setPayout(tx: Db, ref: ChunkRef, payout: FoundPayout): Promise<void> {
  const differences = [...payout.differences, ...(await otherOwners(tx, ref, payout.id))];
  const created = differences.length === 0;
  const { state } = await chunkState(tx, ref);
  await setState(tx, ref, {
    mass_payout_id: payout.id,
    mass_state: payout.state,
    fee: payout.fee,
    differences_json: JSON.stringify(differences),
    ...(created ? { state: 'CREATED', attention_reason: null, attention_since_ms: null } : {}),
    ...(created && state !== 'CREATED'
      ? { rest_outcome: 'IN_FLIGHT', rest_reason: '', final: 0 }
      : {}),
  });
}

export async function otherOwners(tx: Db, ref: ChunkRef, massPayoutId: string): Promise<string[]> {
  const others = await tx
    .selectFrom('chunk')
    .select(['batch_id', 'chunk'])
    .where('mass_payout_id', '=', massPayoutId)
    .where('idempotency_key', '!=', ref.idempotencyKey)
    .execute();
  return others.map((other) => `it already stands for chunk ${other.chunk} of ${other.batch_id}`);
}

async function setState(db: Db, ref: ChunkRef, set: Partial<Schema['chunk']>): Promise<void> {
  await db
    .updateTable('chunk')
    .set(set)
    .where('batch_id', '=', ref.batchId)
    .where('chunk', '=', ref.chunk)
    .execute();
}

const newAttemptRow = (ref: ChunkRef, attempt: NewAttempt): Schema['attempt'] => ({
  idempotency_key: ref.idempotencyKey,
  n: attempt.n,
  timestamp_ms: attempt.timestampMs,
  body_sha256: attempt.bodySha256,
  outcome: 'PENDING',
  ended_ms: null,
  http_status: null,
  error_code: null,
  trace_id: null,
  retry_after_ms: null,
});
