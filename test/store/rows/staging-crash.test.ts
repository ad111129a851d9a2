import { join } from 'node:path';
import { expect, it, jest } from '@jest/globals';
import { ingestFile } from '../../../src/ingest/index.ts';
import { buildUrl, runModule } from '../../support/child.ts';
import { sampleRows, writeSample } from '../../support/sample-file.ts';
import { newBatch } from '../../support/store-fixtures.ts';
import { openTestStore, testStoreUrl } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writableDb } from '../../../src/store/database/writable.ts';

jest.setTimeout(600_000);

const OPTIONS = { chunkRows: 25 };

/** Reads the file in a process of its own, which is killed after so many chunks, or just before it publishes. */
const readAndDie = async (folder: string, file: string, chunks: number): Promise<string> =>
  runModule(`
    const { openStore } = await import('${buildUrl('src/store/index.js')}');
    const { ingestFile } = await import('${buildUrl('src/ingest/index.js')}');
    const store = await openStore(${JSON.stringify(await testStoreUrl(folder))});
    const { sink, flush } = store.staging.begin('b');
    let left = ${chunks};
    const die = () => process.kill(process.pid, 'SIGKILL');
    const dying = {
      ...sink,
      putChunk: async (chunk) => {
        if (left-- === 0) die();
        await sink.putChunk(chunk);
      },
    };
    await ingestFile({ name: 'f', path: ${JSON.stringify(file)} }, ${JSON.stringify(OPTIONS)}, dying);
    await flush();
    die();
    await new Promise(() => setInterval(() => undefined, 1000));
  `);

it.each([0, 1, 17, 39, 1_000])(
  'an import that is killed after %d chunks leaves nothing: the next one is whole, and alone',
  async (chunks) => {
    const folder = temporaryFolder();
    const file = join(folder, 'payroll.csv');
    const rows = sampleRows({ rows: 1_000, currencies: ['USDT_TRC20'] });
    writeSample(file, rows);
    const store = await openTestStore(folder);
    await store.batches.register(newBatch('b'));
    await expect(readAndDie(folder, file, chunks)).rejects.toThrow('the child ended with null');
    expect((await store.batches.find('b'))?.ingestId).toBeNull();

    const { ingestId, sink, flush } = store.staging.begin('b');
    const summary = await ingestFile({ name: 'f', path: file }, OPTIONS, sink);
    await flush();
    await store.staging.publish('b', ingestId, summary);
    const staged = await writableDb(store).selectFrom('staged_chunk').select('ingest_id').execute();
    expect(new Set(staged.map((chunk) => chunk.ingest_id))).toEqual(new Set([ingestId]));
    const read: string[] = [];
    for (const { chunk } of await store.staging.heads(ingestId)) {
      for (const { address } of await store.staging.rows(ingestId, chunk)) read.push(address);
    }
    expect(read).toEqual(rows.map(({ address }) => address));
    await store.close();
  },
);
