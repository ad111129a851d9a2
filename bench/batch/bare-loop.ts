/**
 * Pays a file without any safety, as a script would: `node bare-loop.js FILE --batch-id ID`, with the settings of a
 * worker. The same chunks, bytes and number of requests in flight as the engine's, but no store, no workflow, no look
 * before a send and no verification. Prints how long it took, from rows in memory to the last COMPLETED.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadSettings, readApiSecret, requireApi } from '../../src/config.ts';
import { cutIntoChunks, readRows } from './bare-chunks.ts';
import { createBareClient } from './bare-client.ts';
import { payloadText } from './bare-payload.ts';
import type { BareRun } from './bare-run.ts';

/** Chunks that are sent, under other keys, before the clock starts: the engine's worker is warm as well. */
const WARM_UP_CHUNKS = 20;

const options = { 'batch-id': { type: 'string', default: 'bare' } } as const;
const { positionals, values } = parseArgs({ allowPositionals: true, options });
const [file = ''] = positionals;

const settings = loadSettings({ env: process.env, cwd: () => process.cwd() });
const access = requireApi(settings);
const { chunkRows, chunksInFlight } = settings.batch;
const chunks = cutIntoChunks(readRows(readFileSync(file, 'utf8')), chunkRows);
const client = createBareClient({ ...access, secret: readApiSecret(settings) });

/** Sends and follows all chunks in order, so many side by side. */
async function payAll(batchId: string, all: typeof chunks): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (;;) {
      const chunk = next;
      next += 1;
      const rows = all[chunk];
      if (rows === undefined) return;
      const { account } = access;
      await client.pay(payloadText({ account, batchId, chunk }, rows));
    }
  };
  await Promise.all(Array.from({ length: chunksInFlight }, lane));
}

await payAll(`${values['batch-id']}-warm-up`, chunks.slice(0, WARM_UP_CHUNKS));
const startMs = performance.now();
await payAll(values['batch-id'], chunks);
const run: BareRun = { elapsedMs: performance.now() - startMs };
await client.close();
process.stdout.write(JSON.stringify(run));
