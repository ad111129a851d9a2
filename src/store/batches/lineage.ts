import type { Db } from '../database/db.ts';

/** A batch and the one whose rows it sends again, if any. It need not be written down yet. */
export type LineageStart = Readonly<{ batchId: string; parentBatchId: string | null }>;

/**
 * Every batch that pays rows of the same file: the batch itself, the batches that it resends, and its resends. A batch
 * has one resend at most, so this is a line; its length is the number of resends.
 */
export async function lineageOf(
  db: Db,
  { batchId, parentBatchId }: LineageStart,
): Promise<string[]> {
  const lineage = await upwards(db, { batchId, parentBatchId });
  for (let child = await childOf(db, batchId); child !== undefined && !lineage.includes(child); ) {
    lineage.push(child);
    child = await childOf(db, child);
  }
  return lineage;
}

/** The first batch of a lineage. */
export async function rootOf(db: Db, batchId: string): Promise<string> {
  const line = await upwards(db, { batchId, parentBatchId: await parentOf(db, batchId) });
  return line.at(-1) ?? batchId;
}

/** A batch, and those that it resends, up to the first one. */
async function upwards(db: Db, { batchId, parentBatchId }: LineageStart): Promise<string[]> {
  const line = [batchId];
  for (let parent = parentBatchId; parent !== null && !line.includes(parent); ) {
    line.push(parent);
    parent = await parentOf(db, parent);
  }
  return line;
}

async function parentOf(db: Db, batchId: string): Promise<string | null> {
  const row = await db
    .selectFrom('batch')
    .select('parent_batch_id')
    .where('batch_id', '=', batchId)
    .executeTakeFirst();
  return row?.parent_batch_id ?? null;
}

async function childOf(db: Db, batchId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('batch')
    .select('batch_id')
    .where('parent_batch_id', '=', batchId)
    .executeTakeFirst();
  return row?.batch_id;
}
