import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { verifyBatch } from '../../src/report/verify/verify-batch.ts';
import { createFiles } from '../../src/files/index.ts';
import { openStore } from '../../src/store/index.ts';
import { onServer, testStoreUrl } from './test-database.ts';

/** Batches that are looked through: a stack has fewer. */
const BATCHES_MAX = 500;

/**
 * What is not as it was written down, of the batches of a stack that have ended: nothing, unless a test, or Bursar, changed a
 * record without an entry in the audit log. Nobody else may have the store open.
 */
export async function unprovenOf(folder: string): Promise<string[]> {
  if (!existsSync(folder)) throw new Error(`removed before anybody could look at it: ${folder}`);
  if (!onServer && !existsSync(join(folder, 'store.db'))) return [];
  const store = await openStore(await testStoreUrl(folder));
  try {
    const blobs = createFiles(`file:${join(folder, 'blobs')}`);
    const batches = await store.batches.list(BATCHES_MAX);
    const unproven: string[] = [];
    for (const { batchId, endState } of batches) {
      if (endState === null) continue;
      const reportDir = join(folder, 'runs', batchId);
      const { result, problems } = await verifyBatch(
        { store, blobs },
        { batchId, reportDir, head: null },
      );
      unproven.push(...problems.map(({ what }) => `${batchId} ${result}: ${what}`));
    }
    return unproven;
  } finally {
    await store.close();
  }
}
