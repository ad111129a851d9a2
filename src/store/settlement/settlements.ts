import type { RowNumber } from '../../domain/rows/row.ts';
import type { StatedFee } from '../../domain/report/stated-fee.ts';
import type { Share } from '../../domain/report/totals.ts';
import type { PayoutTimes } from '../../domain/settling/payout-times.ts';
import type { WriteChunk } from '../chunk-writes/write.ts';
import type { Db } from '../database/db.ts';
import {
  type Attention,
  disown,
  reopen,
  type RowsMeanwhile,
  settle,
  setTimes,
  type StoredOutcomes,
} from './outcomes.ts';
import { type StoredRowOutcome, toRowOutcome } from './row-outcomes.ts';
import { groupBy, sharesOfChunks } from './shares.ts';
import { readStatedFees } from './stated-fees.ts';
import type { ChunkAt } from './withdrawal-lookups.ts';

export type { Attention, RowsMeanwhile, StoredOutcomes } from './outcomes.ts';
export type { StoredRowOutcome } from './row-outcomes.ts';

/** Outcomes of single rows, by row number. */
export type RowOutcomes = ReadonlyMap<RowNumber, StoredRowOutcome>;

/** The outcomes of rows: a default for each chunk, and one for each row that differs from it. */
export const createSettlementStore = (db: Db, write: WriteChunk) => ({
  /**
   * Replaces the outcomes of a chunk; the default and those of single rows change together. Returns false, and changes
   * nothing, when the chunk ended or was reopened since the mass payout was read: a slower reader must not overwrite a
   * newer read.
   */
  save: (at: ChunkAt, outcomes: StoredOutcomes): Promise<boolean> =>
    write({
      at,
      action: 'settle',
      needs: { rowOutcomes: true },
      decide: (facts) => settle(facts, outcomes),
    }),

  /**
   * Stores that the mass payout of an open chunk belongs to another request: none of its states is about these rows.
   * The send activity then asks a person.
   */
  disown: (at: ChunkAt, differences: readonly string[]): Promise<void> =>
    write({ at, action: 'disown', decide: (facts) => disown(facts, differences) }),

  /**
   * Reopens a chunk: the mass payout was changed after its end, and the outcomes of its rows are open again.
   * `meanwhile` has the outcomes of its rows until the next read. Returns false when another worker reopened the
   * chunk since it was read as `reopened`, or when the batch is over: a written report stands.
   */
  reopen: (at: ChunkAt, reopened: number, meanwhile: RowsMeanwhile): Promise<boolean> =>
    write({
      at,
      action: 'reopen',
      needs: { rowOutcomes: true },
      decide: (facts) => reopen(facts, reopened, meanwhile),
    }),

  /** Stores how long an open chunk has been in its state, and whether a person should check it. */
  setTimes: (at: ChunkAt, times: PayoutTimes, attention: Attention | undefined): Promise<void> =>
    write({ at, action: 'set-times', decide: (facts) => setTimes(facts, times, attention) }),

  /** The outcomes of single rows of one chunk, by row number. */
  ofChunk: async (batchId: string, chunk: number): Promise<RowOutcomes> =>
    (await outcomesOf(db, batchId, [chunk])).get(chunk) ?? new Map(),

  /** The same of some chunks, by chunk. Chunks without such outcomes are left out. */
  ofChunks: (batchId: string, chunks: readonly number[]): Promise<Map<number, RowOutcomes>> =>
    outcomesOf(db, batchId, chunks),

  /** Everything that the tie-out holds against the file: rows and amounts by currency and outcome. */
  shares: (batchId: string): Promise<Share[]> => sharesOfChunks(db, batchId),

  /** What mass payouts state as their fees, by currency, without those of which nothing was paid. */
  fees: (batchId: string): Promise<ReadonlyMap<string, StatedFee>> => readStatedFees(db, batchId),
});

async function outcomesOf(
  db: Db,
  batchId: string,
  chunks: readonly number[],
): Promise<Map<number, RowOutcomes>> {
  const rows = await db
    .selectFrom('row_outcome')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('chunk', 'in', chunks)
    .execute();
  const byChunk = groupBy(rows, ({ chunk }) => chunk);
  return new Map(
    Array.from(byChunk, ([chunk, own]) => [
      chunk,
      new Map(own.map((row) => [row.row, toRowOutcome(row)])),
    ]),
  );
}
