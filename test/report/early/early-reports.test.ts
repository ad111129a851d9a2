import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startDrafts } from '../../../src/report/drafts.ts';
import { nodeDisk } from '../../../src/report/disk.ts';
import {
  createEarlyReports,
  type EarlyReports,
  type EarlyReportsOptions,
} from '../../../src/report/early/early-reports.ts';
import type { Store } from '../../../src/store/index.ts';
import { HEADER, TRON } from '../../ingest/support/ingest.ts';
import { buildUrl } from '../../support/child.ts';
import { eventually } from '../../support/eventually.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { BATCH, endChunk, planFile, writeAtEnd } from './support/early-batch.ts';

const THREAD = new URL(buildUrl('src/report/early/early-thread.js'));
/** So many rows that their lines are written to disk before the end. */
const ROWS = 6_000;

let folder: string;
let store: Store;
let early: EarlyReports;
let warnings: string[];

const start = (options: Partial<EarlyReportsOptions> = {}): EarlyReports =>
  createEarlyReports({
    storeUrl: `sqlite:${join(folder, 'store.db')}`,
    reportDir: folder,
    warn: (reason) => void warnings.push(reason),
    chunksMin: 1,
    module: THREAD,
    ...options,
  });

beforeEach(async () => {
  folder = temporaryFolder();
  warnings = [];
  store = await openTestStore(folder);
  early = start();
});

afterEach(async () => {
  await early.close();
  await store.close();
});

const drafts = (): string[] =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.startsWith(join(BATCH, '.report.csv.')));

/** Pays a batch, and writes the lines of its rows until some of them are on disk. */
async function payEarly(): Promise<void> {
  const rows = Array.from({ length: ROWS }, (_, i) => `${TRON},${i + 1},TRX,row ${i},\n`);
  await planFile(store, folder, HEADER + rows.join(''), 1_000);
  for (const { chunk } of await store.chunks.list(BATCH)) {
    await endChunk(store, chunk, { rest: 'PAID', named: null, reason: '' });
  }
  early.follow(BATCH, [1]);
}

const untilOnDisk = (): Promise<true> =>
  eventually('lines are on disk', () => drafts().length > 0 || undefined);

describe('a thread that writes reports beside the payments', () => {
  it('writes the bytes and hashes of a report that is written at the end', async () => {
    await payEarly();
    await untilOnDisk();
    const before = drafts();
    let isUsed: boolean | undefined;
    const watched: EarlyReports = {
      ...early,
      write: async (ending) => {
        isUsed = await early.write(ending);
        return isUsed;
      },
    };
    const written = await writeAtEnd(store, folder, watched);
    expect([isUsed, before.length, drafts(), warnings]).toEqual([true, 1, [], []]);
    expect(written).toEqual(await writeAtEnd(store, folder));
  });

  it('leaves the report to the caller when another process has removed its drafts', async () => {
    await payEarly();
    await untilOnDisk();
    await startDrafts(nodeDisk, join(folder, BATCH));
    const written = await writeAtEnd(store, folder, early);
    expect(warnings.join()).toContain('ENOENT');
    expect(written.files).toEqual((await writeAtEnd(store, folder)).files);
  });

  it.each([
    ['ends', 'process.exit(3)', 'the thread ended with code 3'],
    ['fails', 'throw new Error("no memory")', 'no memory'],
  ])('leaves the report to the caller when the thread %s', async (_how, code, reason) => {
    early = start({ module: new URL(`data:text/javascript,${encodeURIComponent(code)}`) });
    await payEarly();
    const written = await writeAtEnd(store, folder, early);
    expect(new Set(warnings)).toEqual(new Set([reason]));
    expect(written).toEqual(await writeAtEnd(store, folder));
  });

  it('leaves the report to the caller when the system starts no thread', async () => {
    // The address makes the constructor of a thread throw, as it does where the system has none left.
    early = start({ module: new URL('http://localhost/') });
    await payEarly();
    const written = await writeAtEnd(store, folder, early);
    expect(warnings.join()).toContain('must be of scheme file');
    expect(written).toEqual(await writeAtEnd(store, folder));
  });

  it('does not start again after it failed', async () => {
    const code = encodeURIComponent('throw new Error("no memory")');
    early = start({ module: new URL(`data:text/javascript,${code}`) });
    await payEarly();
    await eventually('the thread has failed', () => warnings.length > 0 || undefined);
    early.follow(BATCH, [1]);
    await early.close();
    expect(warnings).toEqual(['no memory']);
  });

  it('does not start for a batch with few chunks', async () => {
    early = start({ chunksMin: 1_000, module: new URL('data:text/javascript,throw 1') });
    await payEarly();
    early.follow(BATCH, [999]);
    await writeAtEnd(store, folder, early);
    expect(warnings).toEqual([]);
  });

  it('removes its drafts when the worker stops', async () => {
    await payEarly();
    await untilOnDisk();
    await early.close();
    expect(drafts()).toEqual([]);
  });

  it('keeps no report whose hashes could not be written to the audit log', async () => {
    await payEarly();
    await untilOnDisk();
    const [batch, chunks] = [await store.batches.find(BATCH), await store.chunks.list(BATCH)];
    const { report } = await writeAtEnd(store, temporaryFolder());
    const ending = { batchId: BATCH, chunks, report: { ...report, batchId: batch!.batchId } };
    const onHashed = () => Promise.reject(new Error('the disk is full'));
    await expect(early.write({ ...ending, onHashed })).rejects.toThrow('the disk is full');
    await eventually('the drafts are removed', () => drafts().length === 0 || undefined);
    expect(await early.write({ ...ending, onHashed })).toBe(false);
  });
});
