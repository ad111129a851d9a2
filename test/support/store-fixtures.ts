import type { NewBatch } from '../../src/store/batches/types.ts';
import { PART, PRINT_WORDS } from '../../src/domain/plan/row-print.ts';
import { packRows } from '../../src/domain/rows/row.ts';
import type { IngestSummary, StagedChunk } from '../../src/domain/rows/staging.ts';
import { batchCodeOf, idempotencyKeyOf, sha256Hex } from '../../src/domain/sending/identity.ts';
import type { BatchContent, BatchPlan } from '../../src/store/batches/batches.ts';
import type { Store } from '../../src/store/index.ts';

export const ACCOUNT = '0x00000000000000000000000000000000000000a1';

export const newBatch = (batchId: string, more: Partial<NewBatch> = {}): NewBatch => ({
  batchId,
  code: batchCodeOf(ACCOUNT, batchId),
  accountRef: 'main',
  account: ACCOUNT,
  fileName: 'payroll.csv',
  fileSha256: sha256Hex(batchId),
  submittedBy: 'tester',
  submittedAtMs: 1_800_000_000_000,
  optionsJson: '{}',
  generation: 0,
  parentBatchId: null,
  ...more,
});

export const stagedChunk = (chunk: number, rows: number, amount = '1'): StagedChunk => {
  const firstRow = 2 + chunk * rows;
  const text = packRows(
    Array.from({ length: rows }, (_, i) => ({
      row: firstRow + i,
      address: `address-${firstRow + i}`,
      amount,
      comment: '',
      reference: '',
      name: `Payee ${firstRow + i}`,
    })),
  );
  return {
    chunk,
    currency: 'TRX',
    rowCount: rows,
    total: String(rows * Number(amount)),
    firstRow,
    lastRow: firstRow + rows - 1,
    rows: text,
    rowsSha256: sha256Hex(text),
    prints: blankPrints(firstRow, rows),
  };
};

/** Prints of rows that pay nobody anything; only their numbers differ. */
function blankPrints(firstRow: number, rows: number): Int32Array {
  const prints = new Int32Array(rows * PRINT_WORDS);
  for (let i = 0; i < rows; i++) prints[i * PRINT_WORDS + PART.number] = firstRow + i;
  return prints;
}

/** What a batch pays, by a name of its own. */
export const contentOf = (batchId: string, content = batchId): BatchContent => ({
  batchId,
  account: ACCOUNT,
  parentBatchId: null,
  contentSha256: content,
  rowSet: content,
});

/** A plan without findings. */
export const planNamed = (digest: string): BatchPlan => ({
  digest,
  findings: [],
  rules: null,
  partitionChunks: null,
});

export const summaryOf = (
  chunks: readonly StagedChunk[],
  more: Partial<IngestSummary> = {},
): IngestSummary => ({
  fileSha256: 'f',
  sizeBytes: 1,
  contentSha256: 'content',
  rowSet: 'rows',
  rows: chunks.reduce((sum, { rowCount }) => sum + rowCount, 0),
  refusedRows: 0,
  chunks: chunks.length,
  currencies: [
    {
      currency: 'TRX',
      rows: chunks.reduce((sum, { rowCount }) => sum + rowCount, 0),
      total: String(chunks.reduce((sum, { total }) => sum + Number(total), 0)),
      amounts: null,
    },
  ],
  findings: [],
  limits: { row: [], payee: [] },
  ...more,
});

/** A batch that may pay, with `count` planned chunks of two rows each, each row over 1 TRX. */
export const planBatch = (store: Store, batchId: string, count: number): Promise<void> =>
  planChunks(
    store,
    batchId,
    Array.from({ length: count }, (_, chunk) => stagedChunk(chunk, 2)),
  );

/** The same with these chunks. */
export async function planChunks(
  store: Store,
  batchId: string,
  chunks: readonly StagedChunk[],
): Promise<void> {
  await store.batches.register(newBatch(batchId));
  const { ingestId, sink, flush } = store.staging.begin(batchId);
  for (const chunk of chunks) await sink.putChunk(chunk);
  await flush();
  await store.staging.publish(batchId, ingestId, summaryOf(chunks));
  await store.batches.planOnce(contentOf(batchId), () => planNamed('sha256:d'));
  await store.chunks.plan(
    batchId,
    chunks.map((chunk) => ({
      ...chunk,
      idempotencyKey: idempotencyKeyOf({
        account: ACCOUNT,
        batchId,
        chunk: chunk.chunk,
        generation: 0,
      }),
      externalId: `${batchId}/${chunk.chunk}/0`,
    })),
  );
  await store.batches.release(batchId, 1_800_000_000_000);
}
