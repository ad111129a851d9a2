import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createUploadRound,
  UPLOAD_KEPT_MS,
} from '../../../src/activities/housekeeping/upload-round.ts';
import { createFiles, type Files } from '../../../src/files/index.ts';
import { writableDb } from '../../../src/store/database/writable.ts';
import type { Store } from '../../../src/store/index.ts';
import { blocksOf, hashOf } from '../../files/support/contract.ts';
import { newBatch } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 9);
const SHA256 = hashOf('payroll');

const RUN = {
  schedule_id: 'rent',
  nominal: '2026-11-20T09:00',
  due_at_ms: 1,
  state: 'STARTED',
  claimed_by: null,
  batch_id: 'rent-2026-11-20',
  rejected: 0,
  file_name: 'payroll.csv',
  detail: '',
  changed_at_ms: 1,
} as const;

let store: Store;
let folder: string;
let blobs: Files;
beforeEach(async () => {
  folder = temporaryFolder();
  store = await openTestStore(folder);
  blobs = createFiles(`file:${join(folder, 'blobs')}`);
});
afterEach(() => store.close());

const round = () => createUploadRound({ store, blobs, nowMs: () => NOW_MS }).run();

const upload = () => blobs.putUpload(SHA256, blocksOf('payroll'));

/** Makes the mark of the upload so old. */
function age(ms: number): void {
  const at = new Date(NOW_MS - ms);
  utimesSync(join(folder, 'blobs', 'uploads', SHA256), at, at);
}

const register = () => store.batches.register({ ...newBatch('payroll'), fileSha256: SHA256 });

describe('the round of uploads', () => {
  it('removes an upload that nobody submitted for 7 days, and not before', async () => {
    await upload();
    age(UPLOAD_KEPT_MS - 1);
    expect([await round(), await blobs.has(SHA256)]).toEqual(['none to remove', true]);
    age(UPLOAD_KEPT_MS);
    expect([await round(), await blobs.has(SHA256)]).toEqual(['1 removed', false]);
    expect(await round()).toBe('none to remove');
  });

  it('keeps one that was planned meanwhile', async () => {
    await upload();
    age(UPLOAD_KEPT_MS);
    await blobs.uploads.renew(SHA256);
    expect(await round()).toBe('none to remove');
    expect(await blobs.has(SHA256)).toBe(true);
  });

  it('keeps a copy that was submitted, also when the same bytes are uploaded after that', async () => {
    await upload();
    await blobs.put(SHA256, blocksOf('payroll'));
    await upload();
    expect(() => age(UPLOAD_KEPT_MS)).toThrow('ENOENT');
    await round();
    expect(await blobs.has(SHA256)).toBe(true);
  });

  it.each([
    ['a batch has', register],
    [
      'a run of a schedule took',
      () =>
        writableDb(store)
          .insertInto('schedule_run')
          .values({ ...RUN, file_sha256: SHA256 })
          .execute(),
    ],
  ])('keeps a marked copy that %s, and marks it no more', async (_what, refer) => {
    await upload();
    await refer();
    age(UPLOAD_KEPT_MS);
    expect([await round(), await blobs.has(SHA256)]).toEqual(['none to remove', true]);
    expect(() => age(0)).toThrow('ENOENT');
  });

  it('removes an upload of a batch whose rows were removed at the end of their retention', async () => {
    await register();
    await writableDb(store).updateTable('batch').set({ pruned_at_ms: 1 }).execute();
    await upload();
    age(UPLOAD_KEPT_MS);
    expect([await round(), await blobs.has(SHA256)]).toEqual(['1 removed', false]);
  });
});
