import { expect, it } from '@jest/globals';
import { openTestStore } from '../../support/store-fixtures.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('gives out slots in which requests may leave, and none for an unused time', async () => {
  const store = await openTestStore(temporaryFolder());
  const take = (nowMs: number) => store.pace.takeSlot('a', 250, nowMs);
  expect([await take(1_000), await take(1_000), await take(1_100)]).toEqual([1_000, 1_250, 1_500]);
  expect([await take(9_000), await take(9_001)]).toEqual([9_000, 9_250]);
  expect(await store.pace.takeSlot('b', 250, 1_000)).toBe(1_000);
  await store.close();
});

it('never makes a worker wait for long because a clock was far ahead once', async () => {
  const store = await openTestStore(temporaryFolder());
  await store.pace.takeSlot('a', 250, 9_000_000);
  expect(await store.pace.takeSlot('a', 250, 1_000)).toBe(61_000);
  await store.close();
});
