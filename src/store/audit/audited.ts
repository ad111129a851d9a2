import type { Db, Tx } from '../database/db.ts';
import { CompiledQuery } from 'kysely';
import { ENGINE } from '../../domain/audit/actions.ts';
import { changesOf, isEmpty, type RecordFacts } from '../../domain/audit/facts.ts';
import { appendAudit } from './append.ts';
import {
  batchFacts,
  CHUNK_COLUMNS,
  chunkFacts,
  NAMES,
  type ToldChunk,
  verdictsFact,
} from './facts.ts';
import type { ChunkAt } from '../settlement/withdrawal-lookups.ts';

export { ENGINE } from '../../domain/audit/actions.ts';

/** An act on a record. */
export type AuditedAct = Readonly<{ action: string; atMs: number; actor?: string }>;

/** Facts for the audit entry that only the work itself has: details, and other records that it wrote. */
export type AuditNotes = {
  readonly detail: Record<string, unknown>;
  readonly facts: Record<string, RecordFacts>;
};

type Work<Result> = (notes: AuditNotes) => Promise<Result>;

/**
 * Changes a chunk and writes an audit entry with the changed columns, in the same transaction. Work that changes
 * nothing, and names no record, leaves no entry. `outcomes`: whether it may change the outcomes of single rows.
 */
export function onChunk<Result>(
  tx: Tx,
  on: ChunkAt & AuditedAct & Readonly<{ outcomes?: true }>,
  work: Work<Result>,
): Promise<Result> {
  const read = async () => ({
    ...(await readChunk(tx, on)),
    ...(on.outcomes === undefined ? {} : await readRowOutcomes(tx, on)),
  });
  const notes: AuditNotes = { detail: { chunk: on.chunk }, facts: {} };
  return recorded(tx, { ...on, notes, name: NAMES.chunk(on.chunk), read }, work);
}

/** Changes a batch and writes an audit entry with the changed columns, in the same transaction. */
export function onBatch<Result>(
  tx: Tx,
  on: AuditedAct & Readonly<{ batchId: string }>,
  work: Work<Result>,
): Promise<Result> {
  const read = () => readBatch(tx, on.batchId);
  return recorded(tx, { ...on, notes: { detail: {}, facts: {} }, name: NAMES.batch, read }, work);
}

type Recorded = AuditedAct &
  Readonly<{ batchId: string; notes: AuditNotes; name: string; read(): Promise<RecordFacts> }>;

async function recorded<Result>(
  tx: Tx,
  { batchId, atMs, action, actor = ENGINE, notes, name, read }: Recorded,
  work: Work<Result>,
): Promise<Result> {
  const before = await read();
  const result = await work(notes);
  const changed = changesOf(before, await read());
  if (!isEmpty(changed)) notes.facts[name] = changed;
  if (!isEmpty(notes.facts)) await appendAudit(tx, { atMs, batchId, actor, action, ...notes });
  return result;
}

async function readBatch(db: Db, batchId: string): Promise<RecordFacts> {
  const row = await db
    .selectFrom('batch')
    .selectAll()
    .where('batch_id', '=', batchId)
    .executeTakeFirst();
  return row === undefined ? {} : batchFacts(row);
}

async function readChunk(tx: Tx, { batchId, chunk }: ChunkAt): Promise<RecordFacts> {
  const { rows } = await tx.executeQuery<ToldChunk>(CompiledQuery.raw(CHUNK, [batchId, chunk]));
  const [row] = rows;
  if (row === undefined) throw new Error(`batch ${batchId} has no chunk ${chunk}`);
  return chunkFacts(row);
}

// Every step of a payment reads it twice, and to put such a query together costs as much as to run it.
const CHUNK = `select ${CHUNK_COLUMNS.join(', ')} from chunk where batch_id = ? and chunk = ?`;

/** The outcomes of single rows of a chunk, as one fact. */
export async function readRowOutcomes(db: Db, { batchId, chunk }: ChunkAt): Promise<RecordFacts> {
  const rows = await db
    .selectFrom('row_outcome')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('chunk', '=', chunk)
    .orderBy('row')
    .execute();
  return verdictsFact(rows);
}
