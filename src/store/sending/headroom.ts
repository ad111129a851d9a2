import type { Db } from '../database/db.ts';
import type { Outcome } from '../../domain/settling/outcome.ts';
import { lossesOf } from '../../domain/holds/stop-loss.ts';
import { sumByCurrency } from '../../domain/money/sum-by-currency.ts';
import type { Share } from '../../domain/report/totals.ts';
import type { Schema } from '../database/schema.ts';
import { SENT_STATES } from '../rows/counted-payments.ts';
import { sharesOfChunks } from '../settlement/shares.ts';
import type { ChunkRef } from './send-records.ts';

/** Outcomes that a stop loss counts. */
const LOST: readonly Outcome[] = ['FAILED', 'UNKNOWN'];

/** The chunk under way that is nearest to another one by its number; undefined when there is none. */
export async function nearestUnderWay(
  db: Db,
  { batchId, chunk }: ChunkRef,
): Promise<number | undefined> {
  const others = (await underWay(db, batchId)).filter((other) => other.chunk !== chunk);
  const away = (other: Readonly<{ chunk: number }>): number => Math.abs(other.chunk - chunk);
  return others.sort((a, b) => away(a) - away(b))[0]?.chunk;
}

/** The chunks of a batch that were sent, or may have been, and are not at their end. */
const underWay = (db: Db, batchId: string) =>
  db
    .selectFrom('chunk')
    .select(['chunk', 'currency', 'row_count as rows', 'total as amount'])
    .where('batch_id', '=', batchId)
    .where('state', 'in', SENT_STATES)
    .where('final', '=', 0)
    .execute();

/** The counters of a batch, counted over all its chunks. The first attempt of a batch stores them, and later writes change them. */
export async function countHeadroom(db: Db, batchId: string): Promise<Schema['headroom'][]> {
  const open = await underWay(db, batchId);
  const openAmounts = new Map(
    sumByCurrency(open).map(({ currency, amount }) => [currency, amount]),
  );
  const shares = await sharesOfMany(db, batchId, await lossyChunks(db, batchId));
  const rowsByCurrency = await db
    .selectFrom('chunk')
    .select(({ fn }) => ['currency', fn.sum<number>('row_count').as('rows')])
    .where('batch_id', '=', batchId)
    .groupBy('currency')
    .orderBy('currency')
    .execute();
  return rowsByCurrency.map(({ currency, rows }) => {
    const isMine = (of: Readonly<{ currency: string }>): boolean => of.currency === currency;
    const { lostRows, lost } = lossesOf(shares.filter(isMine));
    return {
      batch_id: batchId,
      currency,
      batch_rows: rows,
      under_way_rows: open.filter(isMine).reduce((sum, one) => sum + one.rows, 0),
      under_way_amount: openAmounts.get(currency) ?? '0',
      lost_rows: lostRows,
      lost_amount: lost.get(currency) ?? '0',
    };
  });
}

/** Chunks that one statement reads; far below the number of values that it may hold. */
const CHUNKS_PER_STATEMENT = 500;

async function sharesOfMany(db: Db, batchId: string, chunks: readonly number[]): Promise<Share[]> {
  const shares: Share[] = [];
  for (let from = 0; from < chunks.length; from += CHUNKS_PER_STATEMENT) {
    const page = chunks.slice(from, from + CHUNKS_PER_STATEMENT);
    shares.push(...(await sharesOfChunks(db, batchId, page)));
  }
  return shares;
}

/** Chunks at their end of which any row is lost: of nearly all chunks none is, so that they need not be read. */
async function lossyChunks(db: Db, batchId: string): Promise<number[]> {
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
