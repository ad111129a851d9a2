import type { Db } from '../database/db.ts';
import type { ChunkState } from '../../domain/batch/chunk-state.ts';
import type { OperatorReason } from '../../domain/sending/decide.ts';
import { type SendState, withVerification } from '../../domain/sending/reduce.ts';
import type {
  Attempt,
  AttemptOutcome,
  ClockReading,
  Lookup,
  OperatorAnswer,
  SendRecord,
} from '../../domain/sending/send-record.ts';
import type { Schema } from '../database/schema.ts';
import { type StoredRestore, verificationIn } from '../restore/restores.ts';
import { groupBy } from '../settlement/shares.ts';

/** Names a chunk in the store. */
export type ChunkRef = Readonly<{ batchId: string; chunk: number; idempotencyKey: string }>;

/** What one create request holds, byte for byte: it is written once and sent again only as it stands here. */
export type Intent = Readonly<{ payload: string; payloadSha256: string }>;

/** Chunks of one batch. `restore`: the restore that concerns it. */
type ChunksOfBatch = Readonly<{
  batchId: string;
  refs: readonly ChunkRef[];
  restore: StoredRestore | undefined;
}>;

/** The facts about the sending of chunks, in the order of `refs`; undefined for a chunk that the batch does not have. */
export async function readSendStates(
  db: Db,
  { batchId, refs, restore }: ChunksOfBatch,
): Promise<(SendState | undefined)[]> {
  const keys = refs.map((ref) => ref.idempotencyKey);
  const chunks = await db
    .selectFrom('chunk')
    .select(['chunk', 'state', 'attention_reason', 'answer_json'])
    .select(['mass_payout_id', 'differences_json', 'other_payouts_json'])
    .select(['verified_epoch', 'verified_by'])
    .where('batch_id', '=', batchId)
    .where(
      'chunk',
      'in',
      refs.map((ref) => ref.chunk),
    )
    .execute();
  const attempts = await db
    .selectFrom('attempt')
    .selectAll()
    .where('idempotency_key', 'in', keys)
    .orderBy('n')
    .execute();
  const lookups = await db
    .selectFrom('lookup')
    .selectAll()
    .where('idempotency_key', 'in', keys)
    .orderBy('at_ms')
    .orderBy('n')
    .execute();
  const byChunk = new Map(chunks.map((chunk) => [chunk.chunk, chunk]));
  const attemptsOf = groupBy(attempts, (row) => row.idempotency_key);
  const lookupsOf = groupBy(lookups, (row) => row.idempotency_key);
  return refs.map((ref) => {
    const key = ref.idempotencyKey;
    const sending = byChunk.get(ref.chunk);
    if (sending === undefined) return undefined;
    const { state } = sending;
    const record = {
      attempts: (attemptsOf.get(key) ?? []).map(toAttempt),
      lookups: (lookupsOf.get(key) ?? []).map(toLookup),
      ...payoutOf(sending),
      ...answerOf(sending.answer_json),
    };
    const reason = state === 'NEEDS_OPERATOR' ? sending.attention_reason : null;
    return {
      record,
      state: state as ChunkState,
      ...(reason === null ? {} : { reason: reason as OperatorReason }),
      ...withVerification(verificationIn(restore, sending)),
    };
  });
}

/** The payload of a pruned batch is empty. */
export async function readIntent(db: Db, idempotencyKey: string): Promise<Intent | undefined> {
  const row = await db
    .selectFrom('intent')
    .select(['payload', 'payload_sha256'])
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst();
  return row === undefined
    ? undefined
    : { payload: row.payload, payloadSha256: row.payload_sha256 };
}

export const answerOf = (json: string | null): Pick<SendRecord, 'answer'> =>
  json === null ? {} : { answer: JSON.parse(json) as OperatorAnswer };

/** The mass payouts of a chunk: its own, and the others that the service showed. */
export function payoutOf(
  chunk: Pick<Schema['chunk'], 'mass_payout_id' | 'differences_json' | 'other_payouts_json'>,
): Pick<SendRecord, 'payout' | 'others'> {
  const { mass_payout_id: id, differences_json: differences, other_payouts_json: others } = chunk;
  if (id === null || differences === null) return {};
  return {
    payout: { id, differences: JSON.parse(differences) as string[] },
    ...(others === null ? {} : { others: JSON.parse(others) as string[] }),
  };
}

const toAttempt = (row: Schema['attempt']): Attempt => ({
  n: row.n,
  timestampMs: row.timestamp_ms,
  outcome: row.outcome as AttemptOutcome,
  ...(row.ended_ms === null ? {} : { endedMs: row.ended_ms }),
  ...(row.http_status === null ? {} : { httpStatus: row.http_status }),
  ...(row.error_code === null ? {} : { errorCode: row.error_code }),
  ...(row.trace_id === null ? {} : { traceId: row.trace_id }),
  ...(row.retry_after_ms === null ? {} : { retryAfterMs: row.retry_after_ms }),
  ...begunOf(readingOf(row)),
});

const toLookup = (row: Schema['lookup']): Lookup => ({
  atMs: row.at_ms,
  attempts: row.attempts,
  result: row.result as Lookup['result'],
  ...(row.server_date_ms === null ? {} : { serverDateMs: row.server_date_ms }),
  ...askedOf(readingOf(row)),
  ...(row.elapsed_ms === null ? {} : { elapsedMs: row.elapsed_ms }),
  ...(row.epoch === null ? {} : { epoch: row.epoch }),
});

type ReadingColumns = Readonly<{ clock_id: string | null; clock_ms: number | null }>;

const readingOf = ({ clock_id: clock, clock_ms: ms }: ReadingColumns): ClockReading | undefined =>
  clock === null || ms === null ? undefined : { clock, ms };

const begunOf = (begun: ClockReading | undefined): Pick<Attempt, 'begun'> =>
  begun === undefined ? {} : { begun };

const askedOf = (asked: ClockReading | undefined): Pick<Lookup, 'asked'> =>
  asked === undefined ? {} : { asked };
