/**
 * Reads a file as a worker does, with every check, into the real store, and prints how long it took until all of it was
 * durable: `node measure-ingest.js FILE STORE_URL CHUNK_ROWS`.
 */
import { parseArgs } from 'node:util';
import { ingestFile } from '../../src/ingest/index.ts';
import { openStore } from '../../src/store/index.ts';
import type { Measured } from './measured.ts';

const [path = '', url = '', chunkRows = ''] = parseArgs({ allowPositionals: true }).positionals;

const store = await openStore(url);
try {
  const startMs = performance.now();
  const { ingestId, sink, flush } = store.staging.begin('bench');
  const options = { chunkRows: Number(chunkRows) };
  const summary = await ingestFile({ name: 'bench.csv', path }, options, sink);
  await flush();
  const elapsedMs = performance.now() - startMs;

  if (summary.refusedRows > 0) throw new Error(`${summary.refusedRows} good rows were refused`);
  const staged = await store.staging.heads(ingestId);
  const rows = staged.reduce((sum, { rowCount }) => sum + rowCount, 0);
  const measured: Measured = { rows, elapsedMs };
  process.stdout.write(JSON.stringify(measured));
} finally {
  await store.close();
}
