import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createStoreGuard, type StoreGuard } from '../../../src/activities/shared/store-guard.ts';
import { noteOf } from '../../../src/domain/errors/bursar-error.ts';
import type { Store } from '../../../src/store/index.ts';
import { planBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
let store: Store;
let guard: StoreGuard;
let id: string;

beforeEach(async () => {
  folder = temporaryFolder();
  store = await openTestStore(folder);
  await planBatch(store, 'ours', 1);
  ({ id } = await store.identity.read());
  guard = createStoreGuard({ store, file: join(folder, 'store.db'), taskQueue: 'q' });
});
afterEach(() => store.close());

const codeOf = async (activityType: string, input: object, storeId?: string) =>
  (await guard.refusalOf({ activityType, args: [input], storeId }))?.code ?? null;

describe('the guard of a worker refuses', () => {
  it('an activity of a workflow that names another store', async () => {
    expect(await codeOf('sendChunk', { batchId: 'ours' }, 'another')).toBe('STORE_IS_ANOTHER');
    expect(await codeOf('watchRound', {}, 'another')).toBe('STORE_IS_ANOTHER');
    expect(await codeOf('sendChunk', { batchId: 'ours' }, id)).toBeNull();
  });

  it('no activity of a workflow that names a store which this one replaced', async () => {
    expect(await codeOf('sendChunk', { batchId: 'ours' }, 'lost')).toBe('STORE_IS_ANOTHER');
    await store.identity.succeed({ ids: ['lost'], actor: 'ann', atMs: 1 });
    expect(await codeOf('sendChunk', { batchId: 'ours' }, 'lost')).toBeNull();
  });

  it.each(['sendChunk', 'sweepChunks', 'planBatch', 'releaseBatch', 'readControls'])(
    '%s of a batch that the store does not have, under any id of the workflow',
    async (activity) => {
      expect(await codeOf(activity, { batchId: 'theirs' })).toBe('STORE_LACKS_BATCH');
      expect(await codeOf(activity, { batchId: 'theirs' }, id)).toBe('STORE_LACKS_BATCH');
    },
  );

  it('no activity that may run before a batch is stored', async () => {
    expect(await codeOf('ingestFile', { batchId: 'theirs' }, id)).toBeNull();
    const refused = { batchId: 'theirs', canceled: false, error: { code: 'BATCH_ID_INVALID' } };
    expect(await codeOf('reportBatch', refused, id)).toBeNull();
    expect(await codeOf('reportBatch', { ...refused, error: null }, id)).toBe('STORE_LACKS_BATCH');
  });

  it('everything once the file of the store is missing, or another one', async () => {
    const file = join(folder, 'store.db');
    renameSync(file, `${file}-away`);
    expect(guard.isReplaced()).toBe(true);
    expect(await codeOf('sendChunk', { batchId: 'ours' }, id)).toBe('STORE_IS_ANOTHER');
    writeFileSync(file, '');
    expect(await codeOf('sendChunk', { batchId: 'ours' }, id)).toBe('STORE_IS_ANOTHER');
    rmSync(file);
    renameSync(`${file}-away`, file);
    expect(await codeOf('sendChunk', { batchId: 'ours' }, id)).toBeNull();
  });

  it('everything while it is closed', async () => {
    guard.close({ note: noteOf('STORE_IS_ANOTHER', { store: 'a', served: 'b', taskQueue: 'q' }) });
    expect(await codeOf('ingestFile', { batchId: 'ours' }, id)).toBe('STORE_IS_ANOTHER');
    guard.close(null);
    expect(await codeOf('ingestFile', { batchId: 'ours' }, id)).toBeNull();
  });
});
