import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createLeases } from '../../../src/activities/send/create-leases.ts';
import type { Store } from '../../../src/store/index.ts';
import { writableDb } from '../../../src/store/database/writable.ts';
import { eventually } from '../../support/eventually.ts';
import { failed } from '../../support/fake-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ALL, BATCH, NOW_MS, sendGroup, storeOfBatch } from '../support/group-of-chunks.ts';
import { sendAnew } from '../support/send-anew.ts';

let store: Store;
beforeEach(async () => {
  store = await storeOfBatch(temporaryFolder());
});
afterEach(() => store.close());

const leasesFor = (limit: number) =>
  createLeases({
    store,
    account: 'a',
    limit,
    forMs: 40_000,
    nowMs: () => NOW_MS,
    warn: (error) => {
      throw error;
    },
  });

const held = () => writableDb(store).selectFrom('create_lease').select('lease_id').execute();

const untilAllAreBack = () =>
  eventually('all leases are given back', async () =>
    (await held()).length === 0 ? true : undefined,
  );

it('a group makes no more creates at once than its account may have under way, and gives their leases back', async () => {
  const { send, widest } = await sendGroup(store, { deps: { leases: leasesFor(2) } });
  const { created, steps, failed: threw } = await send();
  expect([[...created].sort((a, b) => a - b), steps, threw]).toEqual([ALL, [], []]);
  expect(widest()).toBe(2);
  await untilAllAreBack();
});

it('a group gives the lease of a create back that is ambiguous', async () => {
  const onCreate = () => {
    throw failed('no-answer');
  };
  const { send } = await sendGroup(store, { deps: { leases: leasesFor(2) }, onCreate });
  expect((await send()).steps).not.toHaveLength(0);
  await untilAllAreBack();
});

it('a chunk that is sent by itself has a lease, and gives it back', async () => {
  const seen: number[] = [];
  const onCreate = async () => void seen.push((await held()).length);
  const { step } = await sendAnew(store, BATCH, {
    nowMs: () => NOW_MS,
    leases: leasesFor(1),
    onCreate,
  });
  expect([step.kind, seen]).toEqual(['created', [1]]);
  await untilAllAreBack();
});
