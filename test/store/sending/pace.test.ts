import { expect, it } from '@jest/globals';
import { onServer, openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

// The clock of a database server cannot be set by a test.
const onFile = onServer ? it.skip : it;

onFile('gives out slots in which requests may leave, and none for an unused time', async () => {
  const store = await openTestStore(temporaryFolder());
  const wait = (nowMs: number) => store.pace.takeSlot('a', 250, nowMs);
  expect([await wait(1_000), await wait(1_000), await wait(1_100)]).toEqual([0, 250, 400]);
  expect([await wait(9_000), await wait(9_001)]).toEqual([0, 249]);
  expect(await store.pace.takeSlot('b', 250, 1_000)).toBe(0);
  await store.close();
});

onFile('never makes a worker wait for long because a clock was far ahead once', async () => {
  const store = await openTestStore(temporaryFolder());
  await store.pace.takeSlot('a', 250, 9_000_000);
  expect(await store.pace.takeSlot('a', 250, 1_000)).toBe(60_000);
  await store.close();
});

it('gives slots to processes whose clocks differ by hours, one after the other', async () => {
  const folder = temporaryFolder();
  const stores = [await openTestStore(folder), await openTestStore(folder)] as const;
  const nowMs = Date.now();
  const hoursMs = onServer ? 7_200_000 : 0;
  const first = await stores[0].pace.takeSlot('a', 20_000, nowMs);
  const second = await stores[1].pace.takeSlot('a', 20_000, nowMs - hoursMs);
  const third = await stores[0].pace.takeSlot('a', 20_000, nowMs + hoursMs);
  expect(first).toBe(0);
  // Each call came at most some seconds after the one before.
  expect(second).toBeGreaterThan(10_000);
  expect(third).toBeGreaterThan(30_000);
  for (const store of stores) await store.close();
});
