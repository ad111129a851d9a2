import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { createFiles } from '../../src/files/index.ts';
import { writeBatchReport } from '../../src/report/write-batch-report.ts';
import type { Store } from '../../src/store/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { BATCH, endBatch, openAt, placeIn } from './verify/support/ended-batch.ts';

/** The files that a report of the batch has in a folder of its own. The store stays as it is. */
async function filesWritten(store: Store): Promise<Record<string, string>> {
  const folder = temporaryFolder();
  const batch = await store.batches.find(BATCH);
  const append: Store['audit']['append'] = () => Promise.resolve({ seq: 0, hash: '' });
  const unchanged = { ...store, audit: { ...store.audit, append } };
  await writeBatchReport(
    unchanged,
    { ...batch!, endState: 'PARTIAL', endedAtMs: 1 },
    {
      places: { reportDir: folder, blobs: createFiles(`file:${join(folder, 'blobs')}`) },
      workflowId: `batch/${BATCH}`,
      atMs: 1,
    },
  );
  const dir = join(folder, BATCH);
  return Object.fromEntries(
    readdirSync(dir).map((name) => [name, readFileSync(join(dir, name), 'utf8')]),
  );
}

it('a report of one store content has the same bytes in any folder', async () => {
  const place = placeIn(temporaryFolder());
  await endBatch(place);
  const store = await openAt(place);
  const first = await filesWritten(store);
  expect(Object.keys(first)).toContain('report.json');
  expect(await filesWritten(store)).toEqual(first);
  await store.close();
});
