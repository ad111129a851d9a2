import type { BatchRecord, NewBatch } from './types.ts';
import type { Db, Tx } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { findBatch, insertBatch, scopesOf, type Taken } from './batches.ts';
import { toRecord } from './batch-record.ts';

/** A resend as it is written down first. */
export type NewResend = NewBatch & Taken & Readonly<{ parentBatchId: string }>;

/** Batches and their resends. A batch has one resend at most, so that a lineage is a line; the table holds to that, too. */
export const createLineageStore = ({ db, decide }: Access) => ({
  /** The whole lineage of a batch, the root first; empty when there is no such batch. */
  line: (batchId: string): Promise<BatchRecord[]> => readLine(db, batchId),

  childOf: (batchId: string): Promise<BatchRecord | undefined> => childOf(db, batchId),

  /**
   * Writes a resend down, unless it is; of two at once the second is refused. Throws BATCH_NOT_FOUND, BATCH_OPEN,
   * RESEND_EXISTS, RESEND_OTHER_ACCOUNT, and BATCH_ID_TAKEN when the id stands for another batch.
   */
  registerResend: (batch: NewResend): Promise<BatchRecord> =>
    decide(scopesOf(batch), (tx) => registerResend(tx, batch)),
});

/** Every batch that a lineage leads to from here on, the oldest first; the batch itself is not among them. */
export async function descendantsOf(db: Db, batchId: string): Promise<BatchRecord[]> {
  const found: BatchRecord[] = [];
  for (let last = batchId; ; ) {
    const child = await childOf(db, last);
    if (child === undefined) return found;
    found.push(child);
    last = child.batchId;
  }
}

async function readLine(db: Db, batchId: string): Promise<BatchRecord[]> {
  const line: BatchRecord[] = [];
  for (let id: string | null = batchId; id !== null; ) {
    const batch: BatchRecord | undefined = await findBatch(db, id);
    if (batch === undefined) break;
    line.unshift(batch);
    id = batch.parentBatchId;
  }
  return line.length === 0 ? [] : [...line, ...(await descendantsOf(db, batchId))];
}

async function childOf(db: Db, batchId: string): Promise<BatchRecord | undefined> {
  const row = await db
    .selectFrom('batch')
    .selectAll()
    .where('parent_batch_id', '=', batchId)
    .executeTakeFirst();
  return row === undefined ? undefined : toRecord(row);
}

async function registerResend(tx: Tx, batch: NewResend): Promise<BatchRecord> {
  const { batchId, parentBatchId } = batch;
  const written = await findBatch(tx, batchId);
  if (written !== undefined) return refuseOther(written, batch);
  const parent = await findBatch(tx, parentBatchId);
  if (parent === undefined) throw new BursarError('BATCH_NOT_FOUND', { batchId: parentBatchId });
  if (parent.endState === null) {
    throw new BursarError('BATCH_OPEN', { batchId: parentBatchId, state: 'it is under way' });
  }
  const child = await childOf(tx, parentBatchId);
  if (child !== undefined) {
    throw new BursarError('RESEND_EXISTS', { batchId: parentBatchId, child: child.batchId });
  }
  if (parent.account !== batch.account) {
    const accounts = { account: parent.account, ours: batch.account };
    throw new BursarError('RESEND_OTHER_ACCOUNT', { batchId: parentBatchId, ...accounts });
  }
  if (batch.generation !== parent.generation + 1 || batch.fileSha256 !== parent.fileSha256) {
    throw new BursarError('INTERNAL', { message: `${batchId} is no resend of ${parentBatchId}` });
  }
  return insertBatch(tx, batch);
}

/** An id stands for one batch for ever. */
function refuseOther(written: BatchRecord, batch: NewResend): BatchRecord {
  const isSame =
    written.parentBatchId === batch.parentBatchId && written.fileSha256 === batch.fileSha256;
  if (isSame) return written;
  throw new BursarError('BATCH_ID_TAKEN', { batchId: batch.batchId });
}
