import type { Db, Tx } from '../../../src/store/database/db.ts';
import type { ChunkState } from '../../../src/domain/batch/chunk-state.ts';
import { BursarError } from '../../../src/domain/errors/bursar-error.ts';
import { forbidsSending } from '../../../src/domain/sending/answers.ts';
import { MAY_BEGIN } from '../../../src/domain/sending/reduce.ts';
import type { Lookup, OperatorAnswer } from '../../../src/domain/sending/send-record.ts';
import { attemptFacts, intentFacts, lookupFacts, NAMES } from '../../../src/store/audit/facts.ts';
import { mayPayNow, PAY_COLUMNS, readGround } from '../../../src/store/control/authority.ts';
import type { AuditNotes } from '../../../src/store/audit/audited.ts';
import { verificationOf } from '../../../src/store/restore/restores.ts';
import { hasRoomFor } from './headroom.ts';
import type { AttemptEnd, AttemptStart, NewAttempt } from '../../../src/store/sending/attempts.ts';
import type { Schema } from '../../../src/store/database/schema.ts';
import { type ChunkRef, readIntent } from '../../../src/store/sending/send-records.ts';

/** Writes intent and attempt down, unless the chunk, or its batch, may not be sent now. */
export async function beginAttempt(
  tx: Tx,
  { ref, attempt }: Readonly<{ ref: ChunkRef; attempt: NewAttempt }>,
  notes: AuditNotes,
): Promise<AttemptStart> {
  const chunk = await readChunk(tx, ref);
  // A worker that was away for long may come back to a chunk that was closed, or found, meanwhile.
  if (!maySend(chunk)) return 'taken';
  if ((await verificationOf(tx, ref, chunk)) === 'due') return 'unverified';
  const batch = await batchOf(tx, ref);
  const answer =
    chunk.answer_json === null ? null : (JSON.parse(chunk.answer_json) as OperatorAnswer);
  const { kind } = mayPayNow(await readGround(tx, batch), { ...ref, answer });
  if (kind !== 'may-pay') return kind;
  // Only the first attempt takes headroom: since then the chunk counts as under way.
  if (attempt.n === 1 && !(await hasRoomFor(tx, ref, batch.options_json))) return 'no-room';
  const intent = await storeIntent(tx, ref, attempt);
  const row = newAttemptRow(ref, attempt);
  const written = await tx
    .insertInto('attempt')
    .values(row)
    .onConflict((conflict) => conflict.columns(['idempotency_key', 'n']).doNothing())
    .executeTakeFirst();
  if (written.numInsertedOrUpdatedRows !== 1n) return 'taken';
  if (intent !== undefined) notes.facts[NAMES.intent(ref.chunk)] = intentFacts(intent);
  notes.facts[NAMES.attempt(ref.chunk, attempt.n)] = attemptFacts(row);
  Object.assign(notes.detail, { n: attempt.n, ...sentDetail(chunk) });
  return 'begun';
}

const readChunk = (db: Db, { batchId, chunk }: ChunkRef) =>
  db
    .selectFrom('chunk')
    .select([
      'state',
      'answer_json',
      'mass_payout_id',
      'resend_block_json',
      'external_id',
      'row_count',
      'total',
      'verified_epoch',
      'verified_by',
    ])
    .select(['currency', 'first_row', 'last_row', 'idempotency_key'])
    .where('batch_id', '=', batchId)
    .where('chunk', '=', chunk)
    .executeTakeFirstOrThrow();

type ChunkToSend = Awaited<ReturnType<typeof readChunk>>;

function maySend(chunk: ChunkToSend): boolean {
  const { state, answer_json: answer, mass_payout_id: payout, resend_block_json: block } = chunk;
  if (!MAY_BEGIN.includes(state as ChunkState) || payout !== null || block !== null) return false;
  return answer === null || !forbidsSending(JSON.parse(answer) as OperatorAnswer);
}

const batchOf = (db: Db, { batchId }: ChunkRef) =>
  db
    .selectFrom('batch')
    .select(PAY_COLUMNS)
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();

/** The facts of a send, so that a reader of the log needs no other table. The external id ends with the generation. */
const sentDetail = (chunk: ChunkToSend) => ({
  externalId: chunk.external_id,
  idempotencyKey: chunk.idempotency_key,
  rows: chunk.row_count,
  lines: `${chunk.first_row}-${chunk.last_row}`,
  total: `${chunk.total}:${chunk.currency}`,
});

/** Stores the intent and returns it; a stored one must be equal. */
async function storeIntent(
  tx: Tx,
  ref: ChunkRef,
  { intent, timestampMs }: NewAttempt,
): Promise<Schema['intent'] | undefined> {
  const row = {
    idempotency_key: ref.idempotencyKey,
    payload: intent.payload,
    payload_sha256: intent.payloadSha256,
    created_at_ms: timestampMs,
  };
  const { numInsertedOrUpdatedRows: inserted } = await tx
    .insertInto('intent')
    .values(row)
    .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
    .executeTakeFirstOrThrow();
  if (inserted === 1n) return row;
  const written = await readIntent(tx, ref.idempotencyKey);
  if (written?.payloadSha256 === intent.payloadSha256) return undefined;
  throw new BursarError('INTENT_MISMATCH', { chunk: ref.chunk, key: ref.idempotencyKey });
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
  clock_id: attempt.begun?.clock ?? null,
  clock_ms: attempt.begun?.ms ?? null,
  unsent_id: attempt.unsentId ?? null,
});

/** Writes down how an attempt ended. */
export async function endAttempt(
  tx: Tx,
  { ref, end }: Readonly<{ ref: ChunkRef; end: AttemptEnd }>,
  notes: AuditNotes,
): Promise<void> {
  const set = {
    outcome: end.outcome,
    ended_ms: end.endedMs,
    http_status: end.httpStatus ?? null,
    error_code: end.errorCode ?? null,
    trace_id: end.traceId ?? null,
    retry_after_ms: end.retryAfterMs ?? null,
  };
  const { numUpdatedRows } = await tx
    .updateTable('attempt')
    .set(set)
    .where('idempotency_key', '=', ref.idempotencyKey)
    .where('n', '=', end.n)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  const { n, outcome, httpStatus, errorCode, traceId } = end;
  notes.facts[NAMES.attempt(ref.chunk, n)] = set;
  Object.assign(notes.detail, { n, outcome, httpStatus, errorCode, traceId });
}

/** Stores a lookup of a key. Lookups of one key are counted, for they have no name of their own. */
export async function insertLookup(
  tx: Tx,
  { ref, lookup }: Readonly<{ ref: ChunkRef; lookup: Lookup }>,
  notes: AuditNotes,
): Promise<void> {
  const { before } = await tx
    .selectFrom('lookup')
    .select(({ fn }) => fn.countAll<number>().as('before'))
    .where('idempotency_key', '=', ref.idempotencyKey)
    .executeTakeFirstOrThrow();
  const row = {
    idempotency_key: ref.idempotencyKey,
    at_ms: lookup.atMs,
    attempts: lookup.attempts,
    result: lookup.result,
    server_date_ms: lookup.serverDateMs ?? null,
    clock_id: lookup.asked?.clock ?? null,
    clock_ms: lookup.asked?.ms ?? null,
    elapsed_ms: lookup.elapsedMs ?? null,
    epoch: lookup.epoch ?? null,
    n: before + 1,
  };
  await tx.insertInto('lookup').values(row).execute();
  notes.facts[NAMES.lookup(ref.chunk, before + 1)] = lookupFacts(row);
  Object.assign(notes.detail, { result: lookup.result, attempts: lookup.attempts });
}
