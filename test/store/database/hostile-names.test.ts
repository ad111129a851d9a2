import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { createFiles } from '../../../src/files/index.ts';
import { newBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it.each(['../x', '/etc', '..', '.', '', 'a/b', 'a\0', 'ä', '-a', 'x'.repeat(65)])(
  'a batch whose id could lead out of the folder of reports is never stored: %j',
  async (batchId) => {
    const store = await openTestStore(temporaryFolder());
    const register = store.batches.register(newBatch(batchId));
    await expect(register).rejects.toMatchObject({ code: 'BATCH_ID_INVALID' });
    expect(await store.batches.list(9)).toEqual([]);
    await store.close();
  },
);

it.each(['../secret', 'secret', '', 'A'.repeat(64), `${'a'.repeat(64)}/../../secret`])(
  'a copy of a file is read only under a hash, and not under %j',
  async (name) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'secret'), 'of somebody else');
    const blobs = createFiles(`file:${folder}`);
    await expect(blobs.open(name)).rejects.toMatchObject({ code: 'BLOB_MISSING' });
  },
);
