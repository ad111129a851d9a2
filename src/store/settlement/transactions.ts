import type { Tx } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import type { ChunkState } from '../../domain/batch/chunk-state.ts';
import type { RowNumber } from '../../domain/rows/row.ts';
import type { Schema } from '../database/schema.ts';

/** A transaction of the wallet for a row. Amounts are canonical decimal text; missing values are null. */
export type RowTransaction = Readonly<{
  row: RowNumber;
  /** Names it within the row: the service gives transactions no id. */
  transactionId: string;
  hash: string | null;
  amount: string;
  fee: string | null;
  feeCurrency: string | null;
  atMs: number | null;
  /** Rows of the batch that are alike and share as many transactions; 1: it is this row's for certain. */
  equalRows: number;
}>;

/** Rows from one number up to another, both included. */
export type RowRange = Readonly<{ from: RowNumber; to: RowNumber }>;

/** From when to when a list of transactions was read, both included, in milliseconds since 1970. */
export type ListedTime = Readonly<{ fromMs: number; toMs: number }>;

/** Transactions that are written with one statement. */
const TRANSACTIONS_PER_STATEMENT = 500;

/** Chunks whose rows may have been paid. */
const MAY_HAVE_PAID: readonly string[] = [
  'SENDING',
  'CREATED',
  'NEEDS_OPERATOR',
  'ABANDONED',
] satisfies ChunkState[];

/** The transactions of a wallet's list for the rows of a batch, and the facts that are needed to read such a list. */
export const createTransactionStore = ({ db, decide }: Access) => ({
  /**
   * Stores the transactions of a list for a range of rows. It replaces earlier ones within the time of the list. A
   * transaction outside that time stays, since it is the reason why its row is not paid again.
   */
  save: (
    batchId: string,
    range: RowRange,
    { found, listed }: Readonly<{ found: readonly RowTransaction[]; listed: ListedTime }>,
  ): Promise<void> =>
    decide([{ batch: batchId }], (tx) => replace(tx, { batchId, range, found, listed })),

  /** The transactions of a range of rows, by row. */
  async ofRows(batchId: string, { from, to }: RowRange): Promise<Map<RowNumber, RowTransaction>> {
    const rows = await db
      .selectFrom('row_transaction')
      .selectAll()
      .where('batch_id', '=', batchId)
      .where('row', '>=', from)
      .where('row', '<=', to)
      .execute();
    return new Map(rows.map((row) => [row.row, toTransaction(row)]));
  },

  /** When the first create of each chunk was signed, milliseconds since 1970; chunks that were never sent are not there. */
  async firstAttempts(batchId: string): Promise<Map<number, number>> {
    const rows = await db
      .selectFrom('chunk')
      .innerJoin('attempt', 'attempt.idempotency_key', 'chunk.idempotency_key')
      .select(({ fn }) => ['chunk.chunk', fn.min('attempt.timestamp_ms').as('first_ms')])
      .where('chunk.batch_id', '=', batchId)
      .groupBy('chunk.chunk')
      .execute();
    return new Map(rows.map(({ chunk, first_ms }) => [chunk, first_ms]));
  },

  /** Other batches of an account that may have paid and were under way between two instants. The oldest first. */
  async otherBatches(
    batch: Readonly<{ batchId: string; account: string }>,
    { fromMs, toMs }: Readonly<{ fromMs: number; toMs: number }>,
  ): Promise<string[]> {
    const rows = await db
      .selectFrom('batch')
      .select('batch_id')
      .where('account', '=', batch.account)
      .where('batch_id', '!=', batch.batchId)
      .where('submitted_at_ms', '<=', toMs)
      .where(({ or, eb }) => or([eb('ended_at_ms', 'is', null), eb('ended_at_ms', '>=', fromMs)]))
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('chunk')
            .select('chunk.chunk')
            .whereRef('chunk.batch_id', '=', 'batch.batch_id')
            .where('chunk.state', 'in', MAY_HAVE_PAID),
        ),
      )
      .orderBy('submitted_at_ms')
      .orderBy('batch_id')
      .execute();
    return rows.map(({ batch_id }) => batch_id);
  },
});

type Replacement = Readonly<{
  batchId: string;
  range: RowRange;
  found: readonly RowTransaction[];
  listed: ListedTime;
}>;

async function replace(tx: Tx, { batchId, range, found, listed }: Replacement): Promise<void> {
  await tx
    .deleteFrom('row_transaction')
    .where('batch_id', '=', batchId)
    .where('row', '>=', range.from)
    .where('row', '<=', range.to)
    .where(({ or, and, eb }) =>
      or([
        eb('at_ms', 'is', null),
        and([eb('at_ms', '>=', listed.fromMs), eb('at_ms', '<=', listed.toMs)]),
      ]),
    )
    .execute();
  for (let from = 0; from < found.length; from += TRANSACTIONS_PER_STATEMENT) {
    const page = found.slice(from, from + TRANSACTIONS_PER_STATEMENT);
    const rows = page.map(({ row }) => row);
    await tx
      .deleteFrom('row_transaction')
      .where('batch_id', '=', batchId)
      .where('row', 'in', rows)
      .execute();
    await tx
      .insertInto('row_transaction')
      .values(page.map((one) => toRow(batchId, one)))
      .execute();
  }
}

const toRow = (batchId: string, of: RowTransaction): Schema['row_transaction'] => ({
  batch_id: batchId,
  row: of.row,
  transaction_id: of.transactionId,
  transaction_hash: of.hash,
  amount: of.amount,
  fee: of.fee,
  fee_currency: of.feeCurrency,
  at_ms: of.atMs,
  equal_rows: of.equalRows,
});

const toTransaction = (row: Schema['row_transaction']): RowTransaction => ({
  row: row.row,
  transactionId: row.transaction_id,
  hash: row.transaction_hash,
  amount: row.amount,
  fee: row.fee,
  feeCurrency: row.fee_currency,
  atMs: row.at_ms,
  equalRows: row.equal_rows,
});
