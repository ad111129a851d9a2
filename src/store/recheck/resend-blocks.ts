import type { Db, Tx } from '../database/db.ts';
import type { ChunkState } from '../../domain/batch/chunk-state.ts';
import type { RowNumber } from '../../domain/rows/row.ts';
import { unpackRows } from '../../domain/rows/row.ts';
import { descendantsOf } from '../batches/resends.ts';
import type { ChunkAt } from '../settlement/withdrawal-lookups.ts';
import { onChunk } from '../audit/audited.ts';
import type { Schema } from '../database/schema.ts';
import { verificationOf } from '../restore/restores.ts';

/**
 * Rows of a resend's chunk that an earlier generation proved to have paid, or may have. Nothing more of the chunk leaves;
 * where it has left, a person must check.
 */
export type ResendBlock = Readonly<{
  /** The earlier batch whose recheck was the last reason. */
  batchId: string;
  rows: readonly RowNumber[];
  atMs: number;
}>;

/** Rows of one currency that proved not to be unpaid, and the batch that was thought not to have paid them. */
export type NewResendBlock = ResendBlock & Readonly<{ currency: string }>;

/**
 * Blocks the chunks of later generations that hold these rows, in the transaction of the recheck. One that
 * nothing was sent for is closed at once: of this and a send that begins, one is first, and the other sees it. One that has to
 * be verified is looked up first.
 */
export async function blockLaterGenerations(tx: Tx, block: NewResendBlock): Promise<void> {
  if (block.rows.length === 0) return;
  for (const { batchId, ingestId } of await descendantsOf(tx, block.batchId)) {
    if (ingestId === null) continue;
    for (const chunk of await chunksNear(tx, batchId, block)) {
      const rows = await rowsIn(tx, ingestId, { chunk: chunk.chunk, of: block.rows });
      if (rows.length > 0) await addBlock(tx, chunk, { ...block, rows });
    }
  }
}

const chunksNear = (db: Db, batchId: string, { currency, rows }: NewResendBlock) =>
  db
    .selectFrom('chunk')
    .select(['batch_id', 'chunk', 'state', 'resend_block_json'])
    .where('batch_id', '=', batchId)
    .where('currency', '=', currency)
    .where('first_row', '<=', Math.max(...rows))
    .where('last_row', '>=', Math.min(...rows))
    .execute();

async function rowsIn(
  db: Db,
  ingestId: string,
  { chunk, of }: Readonly<{ chunk: number; of: readonly RowNumber[] }>,
): Promise<RowNumber[]> {
  const { rows } = await db
    .selectFrom('staged_chunk')
    .select('rows')
    .where('ingest_id', '=', ingestId)
    .where('chunk', '=', chunk)
    .executeTakeFirstOrThrow();
  const held = new Set(unpackRows(rows).map(({ row }) => row));
  return of.filter((row) => held.has(row));
}

/** Blocks one chunk. */
export async function blockChunk(
  tx: Tx,
  { batchId, chunk }: ChunkAt,
  notes: ResendBlock,
): Promise<void> {
  const row = await tx
    .selectFrom('chunk')
    .select(['batch_id', 'chunk', 'state', 'resend_block_json'])
    .where('batch_id', '=', batchId)
    .where('chunk', '=', chunk)
    .executeTakeFirstOrThrow();
  await addBlock(tx, row, notes);
}

type ChunkNear = Pick<Schema['chunk'], 'batch_id' | 'chunk' | 'state' | 'resend_block_json'>;

async function addBlock(
  tx: Tx,
  chunk: ChunkNear,
  { batchId, rows, atMs }: ResendBlock,
): Promise<void> {
  const before =
    chunk.resend_block_json === null
      ? []
      : (JSON.parse(chunk.resend_block_json) as ResendBlock).rows;
  const all = [...new Set([...before, ...rows])].sort((a, b) => a - b);
  const block: ResendBlock = { batchId, rows: all, atMs };
  const isPlanned = chunk.state === ('PLANNED' satisfies ChunkState);
  const at = { batchId: chunk.batch_id, chunk: chunk.chunk };
  const isUntouched = isPlanned && (await verificationOf(tx, at)) !== 'due';
  await onChunk(tx, { ...at, action: 'bar', atMs }, async ({ detail }) => {
    await tx
      .updateTable('chunk')
      .set({
        resend_block_json: JSON.stringify(block),
        ...(isUntouched ? closed(block) : {}),
      })
      .where('batch_id', '=', at.batchId)
      .where('chunk', '=', at.chunk)
      .execute();
    Object.assign(detail, { because: batchId, rows: all.slice(0, ROWS_NAMED_MAX) });
  });
}

const closed = (block: ResendBlock): Partial<Schema['chunk']> => ({
  state: 'NOT_SENT' satisfies ChunkState,
  default_outcome: 'NOT_SENT',
  default_reason: blockReason(block),
  final: 1,
});

/** Rows that a reason names. */
const ROWS_NAMED_MAX = 5;

export function blockReason({ batchId, rows }: ResendBlock): string {
  const named = rows.slice(0, ROWS_NAMED_MAX).join(', ');
  const more = rows.length > ROWS_NAMED_MAX ? ` and ${rows.length - ROWS_NAMED_MAX} more` : '';
  return `not sent with its chunk: rows ${named}${more} are not provably unpaid in batch ${batchId} any more`;
}
