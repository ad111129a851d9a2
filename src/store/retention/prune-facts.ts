import type { PruneFacts } from '../../domain/retention/prune-rule.ts';
import type { Db } from '../database/db.ts';
import { lineageOf } from '../batches/lineage.ts';
import { openEnds } from '../recheck/open-ends.ts';

/** Outcomes that are not certain. */
const UNCERTAIN = ['UNKNOWN', 'IN_FLIGHT'];
/** States of a chunk whose create may still be sent. */
const UNSENT = ['PLANNED', 'SENDING', 'NEEDS_OPERATOR'];

/** The facts that decide about the prune of a lineage, the oldest batch first. */
export async function pruneFactsOf(
  db: Db,
  root: string,
  reopenedMax: number,
): Promise<readonly PruneFacts[]> {
  const line = await lineageOf(db, { batchId: root, parentBatchId: null });
  return Promise.all(line.map((batchId) => factsOf(db, batchId, reopenedMax)));
}

async function factsOf(db: Db, batchId: string, reopenedMax: number): Promise<PruneFacts> {
  return {
    batchId,
    reportedAtMs: await reportedAt(db, batchId),
    openChunks: await countChunks(db, batchId, 'open'),
    uncertain:
      (await countChunks(db, batchId, 'uncertain')) + (await countUncertainRows(db, batchId)),
    changeableChunks: (await openEnds(db, batchId, reopenedMax)).length,
    unreportedChanges: await countUnreported(db, batchId),
    disputedChunks: await countChunks(db, batchId, 'disputed'),
  };
}

/** When the newest report of a batch was written; null: the batch has not ended. */
async function reportedAt(db: Db, batchId: string): Promise<number | null> {
  const batch = await db
    .selectFrom('batch')
    .select(['end_state', 'ended_at_ms'])
    .where('batch_id', '=', batchId)
    .executeTakeFirst();
  if (batch === undefined || batch.end_state === null || batch.ended_at_ms === null) return null;
  const { newest } = await db
    .selectFrom('report_version')
    .select(({ fn }) => fn.max<number | null>('at_ms').as('newest'))
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  return Math.max(batch.ended_at_ms, newest ?? 0);
}

async function countChunks(
  db: Db,
  batchId: string,
  which: 'open' | 'uncertain' | 'disputed',
): Promise<number> {
  const { count } = await db
    .selectFrom('chunk')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('batch_id', '=', batchId)
    .where(({ or, eb }) => {
      if (which === 'uncertain') return eb('default_outcome', 'in', UNCERTAIN);
      return which === 'open'
        ? or([eb('final', '=', 0), eb('state', 'in', UNSENT)])
        : or([eb('other_payouts_json', 'is not', null), eb('resend_block_json', 'is not', null)]);
    })
    .executeTakeFirstOrThrow();
  return count;
}

async function countUncertainRows(db: Db, batchId: string): Promise<number> {
  const { count } = await db
    .selectFrom('row_outcome')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('batch_id', '=', batchId)
    .where('outcome', 'in', UNCERTAIN)
    .executeTakeFirstOrThrow();
  return count;
}

async function countUnreported(db: Db, batchId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recheck_change')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('batch_id', '=', batchId)
    .where('version', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}
