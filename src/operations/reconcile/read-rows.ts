import type { RowStore } from '../../report/resent-rows.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import { TIMESTAMP_WINDOW_MS } from '@bursar/merchant-api/spec';
import { destinationOf } from '../../domain/reconcile/payment.ts';
import type { PaymentBook } from '../../domain/reconcile/payment-book.ts';
import type { Outcome } from '../../domain/settling/outcome.ts';
import { reportRowPages } from '../../report/report-rows.ts';
import type { ChunkRecord } from '../../store/batches/chunks.ts';
import type { Store } from '../../store/index.ts';
import { type NamedRow, WITHDRAWALS_MAX } from './read-withdrawals.ts';
import type { TimeWindow } from './walk-transactions.ts';

/** A batch with its chunks, and since when each chunk may have transactions, milliseconds since 1970. */
export type SentBatch = Readonly<{
  record: BatchRecord;
  chunks: readonly ChunkRecord[];
  sinceMsOf: (chunk: number | null) => number;
}>;

/**
 * Reads when the chunks of a batch were sent. The service's clock may be behind ours by as much as it lets a timestamp be
 * off; a chunk without an attempt on record was found or adopted, so anything since the batch was submitted may be its.
 */
export async function readSentBatch(store: Store, record: BatchRecord): Promise<SentBatch> {
  const attempts = await store.transactions.firstAttempts(record.batchId);
  const sinceMsOf = (chunk: number | null): number =>
    (attempts.get(chunk ?? -1) ?? record.submittedAtMs) - TIMESTAMP_WINDOW_MS;
  return { record, chunks: await store.chunks.list(record.batchId), sinceMsOf };
}

/** The earliest instant at which a transaction of the batch can be. */
export function earliestMs({ chunks, sinceMsOf }: SentBatch): number {
  const sent = chunks.filter(({ state }) => state !== 'PLANNED' && state !== 'NOT_SENT');
  if (sent.length === 0) return sinceMsOf(null);
  return sent.reduce((ms, { chunk }) => Math.min(ms, sinceMsOf(chunk)), Number.POSITIVE_INFINITY);
}

/** Puts the rows of the batch into the book, and answers with those whose withdrawals the service has named. */
export async function readRows(
  { store, book }: Readonly<{ store: RowStore; book: PaymentBook }>,
  { record, chunks, sinceMsOf }: SentBatch,
): Promise<readonly NamedRow[]> {
  const named: NamedRow[] = [];
  for await (const page of reportRowPages(rowsAlone(store), record, chunks)) {
    for (const row of page) {
      if (row.refused) continue;
      const destination = destinationOf(row.address, row.currency);
      const index = book.addRow({ ...row, destination, sinceMs: sinceMsOf(row.chunk) });
      if (row.transactionHash !== '') book.knowHash(index, row.transactionHash);
      if (row.withdrawalId !== '' && named.length < WITHDRAWALS_MAX) named.push({ index, row });
    }
  }
  return named;
}

/** The store without the transactions that an earlier reconciliation wrote down: they must not prove themselves. */
export const rowsAlone = (store: RowStore): RowStore => ({
  staging: store.staging,
  settlements: store.settlements,
  lineage: store.lineage,
  chunks: store.chunks,
  rechecks: store.rechecks,
});

/** Outcomes of rows that a transaction may belong to. */
const MAY_BE_PAID: readonly Outcome[] = ['PAID', 'UNKNOWN', 'IN_FLIGHT'];

/**
 * Adds the rows of another batch that may have been paid to the book. A batch that began before the window, or has not
 * ended in it, may have transactions on both sides of the edge.
 */
export async function readClaims(
  { store, book }: Readonly<{ store: RowStore; book: PaymentBook }>,
  { record, chunks, sinceMsOf }: SentBatch,
  { fromMs, toMs }: TimeWindow,
): Promise<void> {
  const hasEnded = record.endedAtMs !== null && record.endedAtMs <= toMs;
  for await (const page of reportRowPages(rowsAlone(store), record, chunks)) {
    for (const row of page) {
      if (!MAY_BE_PAID.includes(row.outcome)) continue;
      const isCertain = hasEnded && row.outcome === 'PAID' && sinceMsOf(row.chunk) >= fromMs;
      const destination = destinationOf(row.address, row.currency);
      book.addClaim({ ...row, destination, kind: isCertain ? 'certain' : 'possible' });
    }
  }
}
