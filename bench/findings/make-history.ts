/**
 * Fills a store with batches that were paid: `node make-history.js FILE STORE_URL CHUNK_ROWS BATCHES BATCH_ROWS`. Their rows
 * are prints alone, half of them of payees of the file: that is all that findings look at.
 */
import { parseArgs } from 'node:util';
import type { PrintSegment } from '../../src/domain/plan/row-print.ts';
import type { IngestSummary, StagedChunk } from '../../src/domain/rows/staging.ts';
import { ingestFile } from '../../src/ingest/index.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { newBenchBatch } from './bench-batch.ts';
import { pastPrints } from './past-prints.ts';
import { writableDb } from '../../src/store/database/writable.ts';

const [path = '', url = '', ...numbers] = parseArgs({ allowPositionals: true }).positionals;
const [chunkRows = 0, batches = 0, batchRows = 0] = numbers.map(Number);

/** Any numbers will do, as long as they are the same in each run (a linear congruence). */
function createRandom(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

async function readPrints(): Promise<{ segments: PrintSegment[]; summary: IngestSummary }> {
  const segments: PrintSegment[] = [];
  const summary = await ingestFile(
    { name: 'bench.csv', path },
    { chunkRows },
    {
      putChunk: async ({ currency, prints }) => void segments.push({ currency, prints }),
      putRefused: () => Promise.reject(new Error('a good row was refused')),
    },
  );
  return { segments, summary };
}

async function writeBatch(store: Store, batchId: string, chunks: StagedChunk[]): Promise<void> {
  await store.batches.register(newBenchBatch(batchId));
  const { ingestId, sink, flush } = store.staging.begin(batchId);
  for (const chunk of chunks) await sink.putChunk(chunk);
  await flush();
  await store.staging.publish(batchId, ingestId, { ...summary, chunks: chunks.length });
  const heads = chunks.map((chunk) => ({
    ...chunk,
    idempotencyKey: `${batchId}/${chunk.chunk}`,
    externalId: `${batchId}/${chunk.chunk}`,
  }));
  await store.chunks.plan(batchId, heads);
  // Only batches with a plan count as paid before.
  await writableDb(store).updateTable('batch').set({ digest: 'sha256:bench' }).execute();
  await writableDb(store)
    .updateTable('chunk')
    .set({ state: 'CREATED', default_outcome: 'PAID', final: 1 })
    .execute();
}

const { segments, summary } = await readPrints();
const random = createRandom();
const pastChunk = (chunk: number): StagedChunk => {
  const own = segments[Math.floor(random() * segments.length)] ?? {
    currency: 'TRX',
    prints: new Int32Array(0),
  };
  return {
    chunk,
    currency: own.currency,
    rowCount: chunkRows,
    total: '0',
    firstRow: 2,
    lastRow: 1 + chunkRows,
    rows: '[]',
    rowsSha256: '',
    prints: pastPrints(own, chunkRows, random),
  };
};

const store = await openStore(url);
try {
  for (let batch = 0; batch < batches; batch++) {
    const chunks = Array.from({ length: Math.ceil(batchRows / chunkRows) }, (_, i) => pastChunk(i));
    await writeBatch(store, `past-${batch}`, chunks);
  }
} finally {
  await store.close();
}
process.stdout.write('{}');
