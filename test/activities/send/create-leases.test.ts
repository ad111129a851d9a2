import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLeases } from '../../../src/activities/send/create-leases.ts';
import {
  type CreatePlace,
  GroupEnded,
  OWN_PLACE,
} from '../../../src/activities/send/create-places.ts';
import { writableDb } from '../../../src/store/database/writable.ts';
import type { Store } from '../../../src/store/index.ts';
import { eventually } from '../../support/eventually.ts';
import { type PlayedTime, playTime } from '../../support/played-time.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const LEASE_MS = 40_000;
const START_MS = 1_800_000_000_000;

let time: PlayedTime;
let stores: Store[];
let failures: unknown[];
beforeEach(async () => {
  failures = [];
  time = await playTime(temporaryFolder(), START_MS);
  stores = [await time.open(), await time.open()];
});
afterEach(async () => {
  for (const store of stores) await store.close();
  await time.close();
});

const leasesOf = (worker: number, limit: number, changes: Partial<Store['createLeases']> = {}) => {
  const store = stores[worker];
  if (store === undefined) throw new Error('there are two workers');
  return createLeases({
    store: { createLeases: { ...store.createLeases, ...changes } },
    account: 'a',
    limit,
    forMs: LEASE_MS,
    nowMs: time.nowMs,
    warn: (error) => void failures.push(error),
    pause: () => pause(1),
  });
};

const always = (): boolean => true;

/** Makes creates one after the other, each in a leased place. */
async function createAll(
  leased: () => CreatePlace,
  count: number,
  underWay: { now: number; most: number; made: number },
): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const place = leased();
    await place.take();
    underWay.now += 1;
    underWay.made += 1;
    underWay.most = Math.max(underWay.most, underWay.now);
    await pause(1);
    underWay.now -= 1;
    place.free();
  }
}

describe('the creates of an account that are under way', () => {
  it('are no more than the limit over all workers, and all are made', async () => {
    const underWay = { now: 0, most: 0, made: 0 };
    const workers = [leasesOf(0, 3), leasesOf(1, 3)];
    await Promise.all(
      workers.flatMap((leases) =>
        Array.from({ length: 6 }, () =>
          createAll(() => leases.leased(OWN_PLACE, always), 5, underWay),
        ),
      ),
    );
    expect(underWay).toMatchObject({ now: 0, made: 60 });
    expect(underWay.most).toBeLessThanOrEqual(3);
    await eventually('all leases are given back', async () => {
      const [store] = stores;
      if (store === undefined) return undefined;
      const held = await writableDb(store).selectFrom('create_lease').selectAll().execute();
      return held.length === 0 ? true : undefined;
    });
    expect(failures).toEqual([]);
  });

  it('wait for those of a lost worker as long as a create may be under way', async () => {
    const lost = leasesOf(0, 2);
    for (let n = 0; n < 2; n += 1) await lost.leased(OWN_PLACE, always).take();
    const [, store] = stores;
    const free = (atMs: number) => {
      const demand = { wanted: 5, limit: 2, forMs: LEASE_MS };
      return time.at(START_MS + atMs, async () =>
        store?.createLeases.take('a', demand, time.nowMs()),
      );
    };
    expect(await free(LEASE_MS - 1)).toEqual([]);
    expect(await free(LEASE_MS)).toHaveLength(2);
  });

  it('of another account are not counted', async () => {
    await leasesOf(0, 1).leased(OWN_PLACE, always).take();
    const demand = { wanted: 1, limit: 1, forMs: LEASE_MS };
    expect(await stores[1]?.createLeases.take('b', demand, START_MS)).toHaveLength(1);
  });

  it('are not limited by a lease that a clock gave which was far ahead once', async () => {
    const demand = { wanted: 1, limit: 1, forMs: LEASE_MS };
    const take = async () => stores[0]?.createLeases.take('a', demand, time.nowMs());
    expect(await time.at(START_MS + 9_000_000, take)).toHaveLength(1);
    expect(await time.at(START_MS, take)).toHaveLength(1);
  });
});

describe('a create that waits for its lease', () => {
  it('is left to the next group when this one ends', async () => {
    await leasesOf(0, 1).leased(OWN_PLACE, always).take();
    let isOpen = true;
    const taking = leasesOf(1, 1)
      .leased(OWN_PLACE, () => isOpen)
      .take();
    await pause(5);
    isOpen = false;
    await expect(taking).rejects.toThrow(GroupEnded);
  });

  it('ends with the error of the store, and the next one waits again', async () => {
    let isBroken = true;
    const [store] = stores;
    const take: Store['createLeases']['take'] = async (...demand) => {
      if (isBroken) throw new Error('the store is away');
      return (await store?.createLeases.take(...demand)) ?? [];
    };
    const leases = leasesOf(0, 1, { take });
    await expect(leases.leased(OWN_PLACE, always).take()).rejects.toThrow('the store is away');
    isBroken = false;
    await leases.leased(OWN_PLACE, always).take();
  });

  it('has one lease, however often it takes its place', async () => {
    const leases = leasesOf(0, 2);
    const place = leases.leased(OWN_PLACE, always);
    await place.take();
    await place.take();
    await leases.leased(OWN_PLACE, always).take();
  });
});

it('a lease that cannot be given back is reported, and the answer to the create is not lost', async () => {
  const broken = new Error('the store is away');
  const leases = leasesOf(0, 1, { giveBack: () => Promise.reject(broken) });
  const place = leases.leased(OWN_PLACE, always);
  await place.take();
  place.free();
  await pause(5);
  expect(failures).toEqual([broken]);
});
