import { expect, it } from '@jest/globals';
import { loadSettings } from '../../src/config.ts';
import { checkFolders } from '../../src/doctor/machine-checks.ts';
import { BursarError } from '../../src/domain/errors/bursar-error.ts';
import { createFiles, type Files } from '../../src/files/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The result of the check of copies in a bucket, whose files `open` gives. */
async function checkedBucket(open: () => Promise<Files>) {
  const folder = temporaryFolder();
  const env = { BURSAR_BLOB_URL: 's3://payouts/copies?region=us-east-1' };
  const settings = loadSettings({ env, cwd: () => folder });
  const [copies] = await checkFolders(settings, { open, temporaryDir: folder });
  return copies;
}

it('a bucket for copies is fine when a copy can be written there and read', async () => {
  const files = createFiles(`file:${temporaryFolder()}`);
  expect(await checkedBucket(async () => files)).toMatchObject({
    result: 'ok',
    says: `${files.url} can be written and read`,
  });
  expect(await checkedBucket(async () => files)).toMatchObject({ result: 'ok' });
  const names: string[] = [];
  for await (const { path } of files.list('')) names.push(path);
  expect(names).toHaveLength(1);
});

it('a bucket for copies that refuses is a failed check with its reason', async () => {
  const refused = new BursarError('FILES_UNAVAILABLE', {
    url: 's3://payouts/copies',
    action: 'write a copy',
    reason: 'AccessDenied',
  });
  const found = await checkedBucket(() => Promise.reject(refused));
  expect(found).toMatchObject({ result: 'fail', says: expect.stringContaining('AccessDenied') });
});
