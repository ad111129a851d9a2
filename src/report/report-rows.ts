import type { ReportRow } from '../domain/report/report.ts';
import type { RefusedRow } from '../domain/rows/refused-row.ts';
import type { BatchRecord } from '../store/batches.ts';
import type { ChunkRecord } from '../store/chunks.ts';
import type { Store } from '../store/store.ts';

type RowStore = Pick<Store, 'staging' | 'settlements'>;

/**
 * Every row of a batch with what became of it, in the order of the file. Memory holds one chunk a currency: the chunks
 * of one currency follow each other, so the rows of all currencies and the refused ones are merged by number.
 */
export async function* reportRows(
  store: RowStore,
  batch: BatchRecord,
  chunks: readonly ChunkRecord[],
): AsyncGenerator<ReportRow> {
  if (batch.ingestId === null) return;
  const currencies = [...new Set(chunks.map((chunk) => chunk.currency))];
  const sources = currencies.map((currency) =>
    rowsOfChunks(
      store,
      batch,
      chunks.filter((chunk) => chunk.currency === currency),
    ),
  );
  yield* mergeByRow([...sources, refusedRows(store.staging.refused(batch.ingestId))]);
}

async function* rowsOfChunks(
  store: RowStore,
  { batchId, ingestId }: BatchRecord,
  chunks: readonly ChunkRecord[],
): AsyncGenerator<readonly ReportRow[]> {
  for (const chunk of chunks) {
    const verdicts = await store.settlements.ofChunk(batchId, chunk.chunk);
    const rows = await store.staging.rows(ingestId ?? '', chunk.chunk);
    yield rows.map((row): ReportRow => {
      const verdict = verdicts.get(row.row);
      return {
        ...row,
        currency: chunk.currency,
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
      };
    });
  }
}

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

/** Merges sources that are each in order. Pages keep the cost of waiting off the single row. */
async function* mergeByRow(sources: readonly AsyncGenerator<readonly ReportRow[]>[]) {
  const heads: Head[] = [];
  for (const source of sources) {
    const head: Head = { source, page: [], next: 0 };
    if (await refill(head)) heads.push(head);
  }
  while (heads.length > 0) {
    const head = lowest(heads);
    const row = head.page[head.next];
    if (row !== undefined) yield row;
    head.next += 1;
    if (head.next >= head.page.length && !(await refill(head))) {
      heads.splice(heads.indexOf(head), 1);
    }
  }
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
