import { createHash } from 'node:crypto';
import type { RecordFacts } from '../../domain/audit/facts.ts';
import type { Db, Tx } from '../database/db.ts';
import { readReading } from '../rows/imports.ts';

/** The texts of rows that a batch holds. Sizes are in characters. */
export type RowTexts = Readonly<{
  rows: number;
  refusedRows: number;
  payloads: number;
  size: number;
}>;

/** Chunks whose rows and payloads are removed in one write, so that no payment waits long for it. */
const CHUNKS_PER_WRITE = 100;

type OfBatch = Readonly<{ batchId: string; ingestId: string | null }>;

/** How much text the rows, refused rows and payloads of a batch have. */
export async function measureTexts(db: Db, { batchId, ingestId }: OfBatch): Promise<RowTexts> {
  const staged = await db
    .selectFrom('staged_chunk')
    .select(({ fn }) => [
      fn.sum<number | null>('row_count').as('count'),
      fn.sum<number | null>(fn('length', ['rows'])).as('size'),
    ])
    .where('ingest_id', '=', ingestId ?? '')
    .executeTakeFirstOrThrow();
  const refused = await db
    .selectFrom('refused_row')
    .select(({ fn }) => [
      fn.count<number>('row').distinct().as('count'),
      fn.sum<number | null>(fn('length', ['value'])).as('size'),
    ])
    .where('ingest_id', '=', ingestId ?? '')
    .executeTakeFirstOrThrow();
  const payloads = await payloadsOf(db, batchId)
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.sum<number | null>(fn('length', ['payload'])).as('size'),
    ])
    .executeTakeFirstOrThrow();
  return {
    rows: staged.count ?? 0,
    refusedRows: refused.count,
    payloads: payloads.count,
    size: [staged, refused, payloads].reduce((sum, { size }) => sum + (size ?? 0), 0),
  };
}

const payloadsOf = (db: Db, batchId: string) =>
  db
    .selectFrom('intent')
    .innerJoin('chunk', 'chunk.idempotency_key', 'intent.idempotency_key')
    .where('chunk.batch_id', '=', batchId);

/** The digests of the texts of a batch: of its rows, of its refused rows, and of its payloads. */
export async function digestTexts(db: Db, { batchId, ingestId }: OfBatch): Promise<RecordFacts> {
  const reading = ingestId === null ? {} : await readReading(db, ingestId);
  const payloads = createHash('sha256');
  const found = await payloadsOf(db, batchId)
    .select('intent.payload_sha256')
    .orderBy('chunk.chunk')
    .execute();
  for (const { payload_sha256: hash } of found) payloads.update(`${hash}\n`);
  return { ...reading, payloads: found.length, payloads_sha256: payloads.digest('hex') };
}

/**
 * Removes texts of some chunks of a batch. Their hashes, counts and totals stay. Returns whether more is left.
 * The first write of a batch removes the values of its refused rows, too.
 */
export async function removeTexts(tx: Tx, { batchId, ingestId }: OfBatch): Promise<boolean> {
  await tx
    .updateTable('refused_row')
    .set({ value: '', facts_json: '{}' })
    .where('ingest_id', '=', ingestId ?? '')
    .where(({ or, eb }) => or([eb('value', '!=', ''), eb('facts_json', '!=', '{}')]))
    .execute();
  const staged = await tx
    .selectFrom('staged_chunk')
    .select('chunk')
    .where('ingest_id', '=', ingestId ?? '')
    .where('rows', '!=', '')
    .limit(CHUNKS_PER_WRITE)
    .execute();
  if (staged.length > 0) {
    const chunks = staged.map(({ chunk }) => chunk);
    await tx
      .updateTable('staged_chunk')
      .set({ rows: '' })
      .where('ingest_id', '=', ingestId ?? '')
      .where('chunk', 'in', chunks)
      .execute();
    await tx
      .updateTable('row_fingerprint')
      .set({ identities: Buffer.alloc(0) })
      .where('ingest_id', '=', ingestId ?? '')
      .where('chunk', 'in', chunks)
      .execute();
  }
  const sent = await payloadsOf(tx, batchId)
    .select('intent.idempotency_key')
    .where('intent.payload', '!=', '')
    .limit(CHUNKS_PER_WRITE)
    .execute();
  if (sent.length > 0) {
    const keys = sent.map(({ idempotency_key: key }) => key);
    await tx
      .updateTable('intent')
      .set({ payload: '' })
      .where('idempotency_key', 'in', keys)
      .execute();
  }
  return staged.length === CHUNKS_PER_WRITE || sent.length === CHUNKS_PER_WRITE;
}
