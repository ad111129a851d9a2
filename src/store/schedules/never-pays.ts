import type { Db } from '../database/db.ts';
import type { RunRecord } from '../../domain/schedule/run-state.ts';

/** A batch that has ended is allowed to pay no more, without that nothing leaves, and of one without chunks nothing is resent. */
export async function neverPays(db: Db, { batchId, fileSha256 }: RunRecord): Promise<boolean> {
  const batch = await db
    .selectFrom('batch')
    .select('batch_id')
    .where('batch_id', '=', batchId)
    .where('file_sha256', '=', fileSha256)
    .where('end_state', '=', 'REJECTED')
    .where('released_at_ms', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('chunk')
            .select('chunk.chunk')
            .whereRef('chunk.batch_id', '=', 'batch.batch_id'),
        ),
      ),
    )
    .executeTakeFirst();
  return batch !== undefined;
}
