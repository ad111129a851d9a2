import { expect, it } from '@jest/globals';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const AT = { batchId: 'b', chunk: 0 };

it('the newest lookup of a withdrawal replaces the one before', async () => {
  const store = await openTestStore(temporaryFolder());
  const lookup = { result: 'missing', fingerprint: 'f', atMs: 1 } as const;
  await store.withdrawalLookups.save(AT, 'w1', lookup);
  await store.withdrawalLookups.save(AT, 'w2', lookup);
  await store.withdrawalLookups.save(AT, 'w1', { ...lookup, fingerprint: 'g', atMs: 2 });
  const found = await store.withdrawalLookups.ofChunk(AT);
  expect(found.get('w1')).toMatchObject({ fingerprint: 'g', atMs: 2 });
  expect(found.get('w2')).toMatchObject({ fingerprint: 'f', atMs: 1 });
  expect(found.size).toBe(2);
  await store.close();
});
