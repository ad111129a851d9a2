import type { BatchRecord } from '../store/batches/types.ts';
import type { ReportRow } from '../domain/report/report.ts';
import { shownOutcome, type ShownOutcome } from '../domain/settling/outcome.ts';
import type { ChunkRow } from '../domain/rows/row.ts';
import type { RefusedRow } from '../domain/rows/refused-row.ts';
import type { ChunkRecord } from '../store/batches/chunks.ts';
import type { StoredRowVerdict } from '../store/settlement/settlements.ts';
import type { Store } from '../store/index.ts';
import type { RowTransaction } from '../store/settlement/transactions.ts';
import { readTakenRows, type TakenRows, type TakenStore } from './taken-rows.ts';

/** Without `transactions`, rows are told without what the wallet shows of them. */
export type RowStore = TakenStore &
  Pick<Store, 'settlements'> &
  Partial<Pick<Store, 'transactions'>>;

/** Rows that are handed on together. */
const PAGE_ROWS = 1_000;

/** Every row of a batch with what became of it and where it was sent again, in the order of the file, some at a time. */
export async function* reportRowPages(
  store: RowStore,
  batch: BatchRecord,
  chunks: readonly ChunkRecord[],
): AsyncGenerator<readonly ReportRow[]> {
  const taken = await readTakenRows(store, batch.batchId);
  for await (const page of ownRowPages(store, batch, chunks)) {
    yield taken.isEmpty ? page : page.map((row) => withResend(row, taken));
  }
}

function withResend(row: ReportRow, taken: TakenRows): ReportRow {
  const resentAs = row.refused ? undefined : taken.by(row.row);
  return resentAs === undefined ? row : { ...row, resentAs };
}

/**
 * Every row of a batch with what became of it there, in the order of the file, some at a time. Memory holds one chunk a
 * currency: the chunks of one currency follow each other, so the rows of all currencies and the refused ones are merged
 * by number.
 */
export function ownRowPages(
  store: Pick<RowStore, 'staging' | 'settlements' | 'transactions'>,
  batch: BatchRecord,
  chunks: readonly ChunkRecord[],
): AsyncGenerator<readonly ReportRow[]> {
  const currencies = [...new Set(chunks.map((chunk) => chunk.currency))];
  const sources = currencies.map((currency) =>
    rowsOfChunks(
      store,
      batch,
      chunks.filter((chunk) => chunk.currency === currency),
    ),
  );
  const refused =
    batch.ingestId === null ? [] : [refusedRows(store.staging.refused(batch.ingestId))];
  return mergeByRow([...sources, ...refused]);
}

/** The rows of {@link reportRowPages}, one by one. */
export async function* reportRows(
  store: RowStore,
  batch: BatchRecord,
  chunks: readonly ChunkRecord[],
): AsyncGenerator<ReportRow> {
  for await (const page of reportRowPages(store, batch, chunks)) yield* page;
}

/** A row as people are shown it. */
export type ShownRow = Omit<ReportRow, 'outcome'> & Readonly<{ outcome: ShownOutcome }>;

export const shownRow = (row: ReportRow, chunk: ChunkRecord | undefined): ShownRow => ({
  ...row,
  outcome: shownOutcome(row.outcome, chunk?.state),
});

/** The rows of {@link reportRows}, as people are shown them while the batch is under way. */
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
  store: Pick<RowStore, 'staging' | 'settlements' | 'transactions'>,
  { batchId, ingestId }: BatchRecord,
  chunks: readonly ChunkRecord[],
): AsyncGenerator<readonly ReportRow[]> {
  for (const chunk of chunks) {
    const verdicts = await store.settlements.ofChunk(batchId, chunk.chunk);
    const range = { from: chunk.firstRow, to: chunk.lastRow };
    const seen = await store.transactions?.ofRows(batchId, range);
    const rows = await store.staging.rows(ingestId ?? '', chunk.chunk);
    yield rows.map((row) =>
      withTransaction(reportRow(chunk, row, verdicts.get(row.row)), seen?.get(row.row)),
    );
  }
}

/** What the service's record of a withdrawal says counts before what the wallet shows. */
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
  { row, address, amount, comment, reference }: ChunkRow,
  verdict: StoredRowVerdict | undefined,
): ReportRow => ({
  row,
  address,
  amount,
  currency: chunk.currency,
  comment,
  reference,
  outcome: verdict?.outcome ?? chunk.restOutcome,
  reason: verdict?.reason ?? chunk.restReason,
  chunk: chunk.chunk,
  massPayoutId: chunk.massPayoutId ?? '',
  idempotencyKey: chunk.idempotencyKey,
  withdrawalId: verdict?.withdrawalId ?? '',
  transactionHash: verdict?.transactionHash ?? '',
  fee: verdict?.fee ?? '',
  feeCurrency: verdict?.feeCurrency ?? '',
  refused: false,
});

/** One line for each refused row, whatever the number of its reasons. */
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

/** Merges sources that are each in order, page by page. */
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
