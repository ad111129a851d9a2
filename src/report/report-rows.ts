import type { BatchRecord } from '../store/batches/types.ts';
import type { ReportRow, RowWithOutcome } from '../domain/report/report.ts';
import { shownOutcome, type ShownOutcome } from '../domain/settling/outcome.ts';
import type { ChunkRow } from '../domain/rows/row.ts';
import type { RefusedRow } from '../domain/rows/refused-row.ts';
import type { ChunkRecord } from '../store/batches/chunks.ts';
import type { RowOutcomes, StoredRowOutcome } from '../store/settlement/settlements.ts';
import type { RowRange, RowTransaction } from '../store/settlement/transactions.ts';
import { type OwnRowStore, readResentRows, type ResentRows, type RowStore } from './resent-rows.ts';

/** Rows whose outcomes and transactions are read together. Those of a small chunk cost as much. */
export const ROWS_PER_READ = 8_000;
/** Rows in one page. */
const PAGE_ROWS = 1_000;

/** The stored facts about some chunks that the outcomes of their rows are read from. */
export type RowFacts = Readonly<{
  chunks: readonly ChunkRecord[];
  outcomes: ReadonlyMap<number, RowOutcomes>;
  transactions: ReadonlyMap<number, RowTransaction> | undefined;
}>;

/** Returns the facts about some chunks that follow each other. It may wait until they are final. */
export type ReadFacts = (chunks: readonly ChunkRecord[]) => Promise<RowFacts>;

/** The chunks of a report. `rowsPerRead`: rows whose facts are read together. */
export type ReportChunks = Readonly<{
  chunks: readonly ChunkRecord[];
  readFacts: ReadFacts;
  rowsPerRead: number;
}>;

/** Reads the facts about the rows of some chunks that follow each other. */
export async function readRowFacts(
  store: OwnRowStore,
  batchId: string,
  chunks: readonly ChunkRecord[],
): Promise<RowFacts> {
  const numbers = chunks.map(({ chunk }) => chunk);
  const outcomes = await store.settlements.ofChunks(batchId, numbers);
  const transactions = await store.transactions?.ofRows(batchId, rowRangeOf(chunks));
  return { chunks, outcomes, transactions };
}

/**
 * Reads every row of a batch with its outcome and the newest resend that holds it, in file order.
 */
export async function* reportRowPages(
  store: RowStore,
  batch: BatchRecord,
  chunks: readonly ChunkRecord[],
): AsyncGenerator<readonly ReportRow[]> {
  const resent = await readResentRows(store, batch.batchId);
  for await (const page of ownRowPages(store, batch, chunks)) {
    yield resent.isEmpty ? page : page.map((row) => withResend(row, resent));
  }
}

function withResend(row: ReportRow, resent: ResentRows): ReportRow {
  const resentAs = row.refused ? undefined : resent.batchOf(row.row);
  return resentAs === undefined ? row : { ...row, resentAs };
}

/** Reads every row of a batch with its outcome in this batch, in file order. */
export const ownRowPages = (
  store: OwnRowStore,
  batch: BatchRecord,
  chunks: readonly ChunkRecord[],
): AsyncGenerator<readonly ReportRow[]> =>
  rowPages(store, batch, {
    chunks,
    readFacts: (some) => readRowFacts(store, batch.batchId, some),
    rowsPerRead: ROWS_PER_READ,
  });

/**
 * Reads every row of a batch with its outcome, in file order.
 * The chunks of one currency are in file order, so the rows of all currencies and the refused rows
 * are merged by row number. Memory holds one chunk of each currency, and the outcomes of some more.
 */
export function rowPages(
  store: OwnRowStore,
  batch: BatchRecord,
  { chunks, ...reading }: ReportChunks,
): AsyncGenerator<readonly ReportRow[]> {
  const currencies = [...new Set(chunks.map((chunk) => chunk.currency))];
  const sources = currencies.map((currency) =>
    rowsOfChunks(store, batch, {
      ...reading,
      chunks: chunks.filter((chunk) => chunk.currency === currency),
    }),
  );
  const refused =
    batch.ingestId === null ? [] : [refusedRows(store.staging.refused(batch.ingestId))];
  return mergeByRow([...sources, ...refused]);
}

/** Reads the rows of {@link reportRowPages} one by one. */
export async function* reportRows(
  store: RowStore,
  batch: BatchRecord,
  chunks: readonly ChunkRecord[],
): AsyncGenerator<ReportRow> {
  for await (const page of reportRowPages(store, batch, chunks)) yield* page;
}

/** A row for people. Its outcome says whether the create request is sent. */
export type ShownRow = RowWithOutcome<ShownOutcome>;

/** Returns a row for people, by the state of its chunk. */
export const shownRow = (row: ReportRow, chunk: ChunkRecord | undefined): ShownRow => ({
  ...row,
  outcome: shownOutcome(row.outcome, chunk?.state),
});

/** Reads the rows of {@link reportRows} for people, while the batch may be open. */
export async function* shownRows(
  store: RowStore,
  batch: BatchRecord,
  chunks: readonly ChunkRecord[],
): AsyncGenerator<ShownRow> {
  const byNumber = new Map(chunks.map((chunk) => [chunk.chunk, chunk]));
  for await (const row of reportRows(store, batch, chunks)) {
    yield shownRow(row, row.chunk === null ? undefined : byNumber.get(row.chunk));
  }
}

async function* rowsOfChunks(
  store: OwnRowStore,
  { ingestId }: BatchRecord,
  { chunks, readFacts, rowsPerRead }: ReportChunks,
): AsyncGenerator<readonly ReportRow[]> {
  const rowsMax = chunks.reduce((max, { rowCount }) => Math.max(max, rowCount), 1);
  const atOnce = Math.max(1, Math.floor(rowsPerRead / rowsMax));
  for (let from = 0; from < chunks.length; from += atOnce) {
    const facts = await readFacts(chunks.slice(from, from + atOnce));
    for (const chunk of facts.chunks) {
      const own = facts.outcomes.get(chunk.chunk);
      const rows = await store.staging.rows(ingestId ?? '', chunk.chunk);
      yield rows.map((row) =>
        withTransaction(reportRow(chunk, row, own?.get(row.row)), facts.transactions?.get(row.row)),
      );
    }
  }
}

/** From the first row of some chunks to their last one. */
const rowRangeOf = (chunks: readonly ChunkRecord[]): RowRange => ({
  from: Math.min(...chunks.map(({ firstRow }) => firstRow)),
  to: Math.max(...chunks.map(({ lastRow }) => lastRow)),
});

/** Adds the transaction of the wallet. The service's record of the withdrawal takes precedence. */
function withTransaction(row: ReportRow, seen: RowTransaction | undefined): ReportRow {
  if (seen === undefined) return row;
  const isUnpaid = row.outcome === 'FAILED' || row.outcome === 'NOT_SENT';
  return {
    ...row,
    transactionHash: row.transactionHash === '' ? (seen.hash ?? '') : row.transactionHash,
    ...(row.fee === '' ? { fee: seen.fee ?? '', feeCurrency: seen.feeCurrency ?? '' } : {}),
    ...(isUnpaid ? { seenPaid: true } : {}),
  };
}

const reportRow = (
  chunk: ChunkRecord,
  { row, address, amount, comment, reference, name }: ChunkRow,
  own: StoredRowOutcome | undefined,
): ReportRow => ({
  row,
  address,
  amount,
  currency: chunk.currency,
  comment,
  reference,
  name,
  outcome: own?.outcome ?? chunk.defaultOutcome,
  reason: own?.reason ?? chunk.defaultReason,
  chunk: chunk.chunk,
  massPayoutId: chunk.massPayoutId ?? '',
  idempotencyKey: chunk.idempotencyKey,
  withdrawalId: own?.withdrawalId ?? '',
  transactionHash: own?.transactionHash ?? '',
  fee: own?.fee ?? '',
  feeCurrency: own?.feeCurrency ?? '',
  refused: false,
});

/** Reads each refused row once. The store has one entry for each reason. */
async function* refusedRows(
  refused: AsyncIterable<RefusedRow>,
): AsyncGenerator<readonly ReportRow[]> {
  let lastRow = 0;
  for await (const { row, code, amount, currency } of refused) {
    if (row === lastRow) continue;
    lastRow = row;
    yield [{ ...REFUSED, row, reason: code, amount: amount ?? '', currency: currency ?? '' }];
  }
}

const REFUSED: ReportRow = {
  row: 0,
  address: '',
  amount: '',
  currency: '',
  comment: '',
  reference: '',
  name: '',
  outcome: 'NOT_SENT',
  reason: '',
  chunk: null,
  massPayoutId: '',
  idempotencyKey: '',
  withdrawalId: '',
  transactionHash: '',
  fee: '',
  feeCurrency: '',
  refused: true,
};

type Source = AsyncIterator<readonly ReportRow[]>;
type Head = { source: Source; page: readonly ReportRow[]; next: number };

/** Merges sources that are in file order. Yields pages. */
async function* mergeByRow(
  sources: readonly AsyncGenerator<readonly ReportRow[]>[],
): AsyncGenerator<readonly ReportRow[]> {
  const heads: Head[] = [];
  for (const source of sources) {
    const head: Head = { source, page: [], next: 0 };
    if (await refill(head)) heads.push(head);
  }
  let merged: ReportRow[] = [];
  while (heads.length > 0) {
    const head = lowest(heads);
    const row = head.page[head.next];
    if (row !== undefined) merged.push(row);
    head.next += 1;
    if (head.next >= head.page.length && !(await refill(head))) {
      heads.splice(heads.indexOf(head), 1);
    }
    if (merged.length < PAGE_ROWS) continue;
    yield merged;
    merged = [];
  }
  yield merged;
}

async function refill(head: Head): Promise<boolean> {
  do {
    const page = await head.source.next();
    if (page.done === true) return false;
    head.page = page.value;
    head.next = 0;
  } while (head.page.length === 0);
  return true;
}

const rowOf = (head: Head): number => head.page[head.next]?.row ?? Number.POSITIVE_INFINITY;

const lowest = (heads: readonly Head[]): Head =>
  heads.reduce((low, head) => (rowOf(head) < rowOf(low) ? head : low));
