import type { Db } from '../database/db.ts';
import type { Outcome } from '../../domain/settling/outcome.ts';
import type { Parcel } from '../../domain/holds/stop-loss.ts';
import { SENT_STATES } from '../rows/counted-payments.ts';
import type { ChunkRef } from './send-records.ts';

/** Outcomes that a stop loss counts. */
const LOST: readonly Outcome[] = ['FAILED', 'UNKNOWN'];

/** The chunk under way that is nearest to another one by its number; undefined when there is none. */
export async function nearestUnderWay(
  db: Db,
  { batchId, chunk }: ChunkRef,
): Promise<number | undefined> {
  const others = (await underWay(db, batchId)).filter((parcel) => parcel.chunk !== chunk);
  const away = (parcel: ChunkParcel): number => Math.abs(parcel.chunk - chunk);
  return others.sort((a, b) => away(a) - away(b))[0]?.chunk;
}

type ChunkParcel = Parcel & Readonly<{ chunk: number }>;

const parcels = (db: Db, batchId: string) =>
  db
    .selectFrom('chunk')
    .select(['chunk', 'currency', 'row_count as rows', 'total as amount'])
    .where('batch_id', '=', batchId);

/** The chunks of a batch that were sent, or may have been, and are not at their end. */
export const underWay = (db: Db, batchId: string): Promise<ChunkParcel[]> =>
  parcels(db, batchId).where('state', 'in', SENT_STATES).where('final', '=', 0).execute();

/** The rows of a batch. */
export async function rowsOf(db: Db, batchId: string): Promise<number> {
  const { rows } = await db
    .selectFrom('chunk')
    .select(({ fn }) => fn.sum<number>('row_count').as('rows'))
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  return rows;
}

/** Chunks at their end of which any row is lost: of nearly all chunks none is, so that they need not be read. */
export async function lossyChunks(db: Db, batchId: string): Promise<number[]> {
  const rows = await db
    .selectFrom('chunk')
    .select('chunk')
    .where('batch_id', '=', batchId)
    .where('final', '=', 1)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('default_outcome', 'in', LOST),
        exists(
          selectFrom('row_outcome')
            .select('row_outcome.row')
            .where('row_outcome.batch_id', '=', batchId)
            .whereRef('row_outcome.chunk', '=', 'chunk.chunk')
            .where('row_outcome.outcome', 'in', LOST),
        ),
      ]),
    )
    .execute();
  return rows.map(({ chunk }) => chunk);
}
