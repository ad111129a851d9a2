import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Store } from '../../../src/store/index.ts';
import { ACCOUNT } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PLAIN = 'https://pay.example';
const FLAT = `${PLAIN} massGetAccepts=flat`;
const VERIFIED = { operation: 'LOOKUP', lagMs: 3, provenAtMs: 7 } as const;

let store: Store;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
});
afterEach(() => store.close());

it('what lookups have found proves nothing once they are called in another way', async () => {
  await store.lookupVerification.save(ACCOUNT, PLAIN, VERIFIED);
  const trust = { verified: VERIFIED, answering: ['LOOKUP'], finding: ['LOOKUP'] };
  expect(await store.lookupVerification.trust(ACCOUNT, PLAIN)).toMatchObject(trust);
  const none = { verified: undefined, answering: [], finding: [] };
  expect(await store.lookupVerification.trust(ACCOUNT, FLAT)).toMatchObject(none);
});

it('a contradiction of lookups counts for the service, however it is called', async () => {
  const disproof = { batchId: 'b', chunk: 0, reason: 'TWO_PAYOUTS', atMs: 9 } as const;
  await store.lookupVerification.save(ACCOUNT, PLAIN, VERIFIED);
  await store.lookupVerification.disprove(ACCOUNT, FLAT, disproof);
  expect(await store.lookupVerification.trust(ACCOUNT, PLAIN)).toMatchObject({
    verified: undefined,
    disproof,
  });
  expect(await store.lookupVerification.isDisproven(ACCOUNT, PLAIN, disproof)).toBe(true);
});
