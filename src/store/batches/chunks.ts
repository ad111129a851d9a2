import type { Db, Tx } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import { createSharedReads } from '../database/shared-reads.ts';
import type { ChunkState } from '../../domain/batch/chunk-state.ts';
import type { Outcome } from '../../domain/settling/outcome.ts';
import type { PayoutTimes } from '../../domain/settling/payout-times.ts';
import { appendAudit } from '../audit/append.ts';
import { NAMES, unsentFacts } from '../audit/facts.ts';
import { type ResendBlock, blockChunk } from '../recheck/resend-blocks.ts';
import type { ChunkAt } from '../settlement/withdrawal-lookups.ts';
import { ENGINE } from '../audit/audited.ts';
import type { Schema } from '../database/schema.ts';
import { epochOf, isVerifiedIn } from '../restore/restores.ts';

/** A chunk of a plan, before anything was sent. */
export type PlannedChunk = Readonly<{
  chunk: number;
  currency: string;
  rowCount: number;
  total: string;
  firstRow: number;
  lastRow: number;
  idempotencyKey: string;
  externalId: string;
}>;

export type ChunkRecord = PlannedChunk &
  Readonly<{
    state: ChunkState;
    attentionReason: string | null;
    attentionSinceMs: number | null;
    massPayoutId: string | null;
    massState: string | null;
    fee: string | null;
    defaultOutcome: Outcome;
    defaultReason: string;
    final: boolean;
    unclearSinceMs: number | null;
    /** The fingerprint of its mass payout at an end that people can change, as a hash. */
    payoutFingerprint: string | null;
    /** How often an end was taken back. */
    reopened: number;
    /** Why nothing more of it may leave, in a resend; null: nothing is against it. */
    resendBlock: ResendBlock | null;
    /** Whether its mass payout differs from the request. */
    differs: boolean;
    /** Ids of further mass payouts that the service showed for it. */
    otherPayouts: readonly string[];
  }> &
  PayoutTimes;

/** Chunks of a plan that are written with one statement. */
const CHUNKS_PER_STATEMENT = 200;

const createChunkReads = (db: Db) => {
  const getOne = createSharedReads(async (batchId: string, keys: readonly ChunkAt[]) => {
    const chunks = await getMany(
      db,
      batchId,
      keys.map(({ chunk }) => chunk),
    );
    const byNumber = new Map(chunks.map((chunk) => [chunk.chunk, chunk]));
    return keys.map(({ chunk }) => byNumber.get(chunk));
  });
  return {
    /** One chunk. Throws when the batch does not have it. */
    get: (batchId: string, chunk: number): Promise<ChunkRecord> => getOne({ batchId, chunk }),

    /** Those of the chunks that the batch has, in the order of their numbers. */
    getMany: (batchId: string, chunks: readonly number[]): Promise<ChunkRecord[]> =>
      getMany(db, batchId, chunks),

    async list(batchId: string): Promise<ChunkRecord[]> {
      const rows = await db
        .selectFrom('chunk')
        .selectAll()
        .where('batch_id', '=', batchId)
        .orderBy('chunk')
        .execute();
      return rows.map(toRecord);
    },
  };
};

async function getMany(db: Db, batchId: string, chunks: readonly number[]): Promise<ChunkRecord[]> {
  if (chunks.length === 0) return [];
  const rows = await db
    .selectFrom('chunk')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('chunk', 'in', [...chunks])
    .orderBy('chunk')
    .execute();
  return rows.map(toRecord);
}

/** The chunks of every batch: what each holds, and where it stands. */
export const createChunkStore = ({ db, decide }: Access, nowMs: () => number) => ({
  ...createChunkReads(db),

  /** Writes the chunks of a plan down; a plan that is written again changes nothing. */
  plan: (batchId: string, chunks: readonly PlannedChunk[]): Promise<void> =>
    decide([{ batch: batchId }], (tx) => plan(tx, batchId, chunks)),

  /** The first chunk of a currency. Throws when the batch has none. */
  firstOf: (batchId: string, currency: string): Promise<ChunkRecord> =>
    firstOf(db, batchId, currency),

  /** Chunks for which the service showed more than one mass payout. */
  withOtherPayouts: (batchId: string): Promise<ChunkRecord[]> => withOtherPayouts(db, batchId),

  /** The blocks on chunks of a resend. */
  resendBlocks: (batchId: string): Promise<ResendBlock[]> => readResendBlocks(db, batchId),

  /** Lets nothing more of a chunk leave; one that was never sent is closed at once. */
  block: (at: ChunkAt, told: ResendBlock): Promise<void> =>
    decide([{ batch: at.batchId }], (tx) => blockChunk(tx, at, told)),

  /**
   * Closes every chunk that was never sent, with the reason. Sent chunks, also ambiguous ones, stay, and so do chunks that
   * must be verified.
   */
  closeUnsent: (batchId: string, reason: string): Promise<void> =>
    decide([{ batch: batchId }], (tx) => closeUnsent(tx, { batchId, reason, atMs: nowMs() })),
});

async function plan(tx: Tx, batchId: string, chunks: readonly PlannedChunk[]): Promise<void> {
  for (let from = 0; from < chunks.length; from += CHUNKS_PER_STATEMENT) {
    const values = chunks
      .slice(from, from + CHUNKS_PER_STATEMENT)
      .map((chunk) => toRow(batchId, chunk));
    await tx
      .insertInto('chunk')
      .values(values)
      .onConflict((conflict) => conflict.columns(['batch_id', 'chunk']).doNothing())
      .execute();
  }
}

/** One entry in the audit log covers all of them. */
async function closeUnsent(
  tx: Tx,
  { batchId, reason, atMs }: Readonly<{ batchId: string; reason: string; atMs: number }>,
): Promise<void> {
  const epoch = await epochOf(tx, batchId);
  const closed = await tx
    .updateTable('chunk')
    .set({ state: 'NOT_SENT', default_outcome: 'NOT_SENT', default_reason: reason, final: 1 })
    .where('batch_id', '=', batchId)
    .where('state', '=', 'PLANNED')
    .where(isVerifiedIn(epoch))
    .returning('chunk')
    .execute();
  if (closed.length === 0) return;
  await appendAudit(tx, {
    atMs,
    batchId,
    actor: ENGINE,
    action: 'close-unsent',
    detail: { reason, chunks: closed.length },
    facts: Object.fromEntries(closed.map(({ chunk }) => [NAMES.chunk(chunk), unsentFacts(reason)])),
  });
}

async function withOtherPayouts(db: Db, batchId: string): Promise<ChunkRecord[]> {
  const rows = await db
    .selectFrom('chunk')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('other_payouts_json', 'is not', null)
    .orderBy('chunk')
    .execute();
  return rows.map(toRecord);
}

async function readResendBlocks(db: Db, batchId: string): Promise<ResendBlock[]> {
  const rows = await db
    .selectFrom('chunk')
    .select('resend_block_json')
    .where('batch_id', '=', batchId)
    .where('resend_block_json', 'is not', null)
    .execute();
  return rows.map(({ resend_block_json }) => JSON.parse(resend_block_json ?? '') as ResendBlock);
}

async function firstOf(db: Db, batchId: string, currency: string): Promise<ChunkRecord> {
  const row = await db
    .selectFrom('chunk')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('currency', '=', currency)
    .orderBy('chunk')
    .limit(1)
    .executeTakeFirstOrThrow();
  return toRecord(row);
}

/** Columns of a chunk whose rows have no outcome yet. */
export const ROWS_IN_FLIGHT = {
  default_outcome: 'IN_FLIGHT',
  default_reason: '',
  final: 0,
} as const;

const toRow = (batchId: string, chunk: PlannedChunk): Schema['chunk'] => ({
  batch_id: batchId,
  chunk: chunk.chunk,
  currency: chunk.currency,
  row_count: chunk.rowCount,
  total: chunk.total,
  first_row: chunk.firstRow,
  last_row: chunk.lastRow,
  idempotency_key: chunk.idempotencyKey,
  external_id: chunk.externalId,
  state: 'PLANNED',
  attention_reason: null,
  attention_since_ms: null,
  answer_json: null,
  mass_payout_id: null,
  differences_json: null,
  mass_state: null,
  fee: null,
  ...ROWS_IN_FLIGHT,
  unclear_since_ms: null,
  payout_fingerprint: null,
  reopened: 0,
  open_since_ms: null,
  state_since_ms: null,
  unreadable_since_ms: null,
  resend_block_json: null,
  other_payouts_json: null,
  verified_epoch: null,
  verified_by: null,
});

export const toRecord = (row: Schema['chunk']): ChunkRecord => ({
  chunk: row.chunk,
  currency: row.currency,
  rowCount: row.row_count,
  total: row.total,
  firstRow: row.first_row,
  lastRow: row.last_row,
  idempotencyKey: row.idempotency_key,
  externalId: row.external_id,
  state: row.state as ChunkState,
  attentionReason: row.attention_reason,
  attentionSinceMs: row.attention_since_ms,
  massPayoutId: row.mass_payout_id,
  massState: row.mass_state,
  fee: row.fee,
  defaultOutcome: row.default_outcome as Outcome,
  defaultReason: row.default_reason,
  final: row.final === 1,
  unclearSinceMs: row.unclear_since_ms,
  payoutFingerprint: row.payout_fingerprint,
  reopened: row.reopened,
  openSinceMs: row.open_since_ms,
  stateSinceMs: row.state_since_ms,
  unreadSinceMs: row.unreadable_since_ms,
  differs: row.differences_json !== null && row.differences_json !== '[]',
  otherPayouts: JSON.parse(row.other_payouts_json ?? '[]') as string[],
  resendBlock:
    row.resend_block_json === null ? null : (JSON.parse(row.resend_block_json) as ResendBlock),
});
