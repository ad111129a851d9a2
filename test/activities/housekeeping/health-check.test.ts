import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createOwnWalletRound } from '../../../src/activities/housekeeping/own-wallet-check.ts';
import type { HousekeepingTask } from '../../../src/activities/housekeeping/task.ts';
import { createHealthCheckActivities } from '../../../src/activities/housekeeping/health-check.ts';
import { BursarError } from '../../../src/domain/errors/bursar-error.ts';
import type { Store } from '../../../src/store/index.ts';
import { fakeService, walletsAt } from '../../support/fake-service.ts';
import { ACCOUNT } from '../../support/store-fixtures.ts';
import { openTestStore } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { asActivity } from '../support/as-activity.ts';

let store: Store;
let nowMs: number;
beforeEach(async () => {
  store = await openTestStore(temporaryFolder());
  nowMs = Date.UTC(2026, 10, 21, 9);
});
afterEach(() => store.close());

const watch = (...rounds: HousekeepingTask[]) => {
  const service = { account: 'a', lookupName: 'http://s' };
  const taskQueue = 'payouts';
  const deps = { store, service, taskQueue, tasks: rounds, everyMs: 60_000, nowMs: () => nowMs };
  return asActivity().run(createHealthCheckActivities(deps).watchRound);
};

describe('the rounds of housekeeping', () => {
  it('are run one after the other, and a failed one stops none', async () => {
    const order: string[] = [];
    const round = (name: string, run: () => Promise<string>): HousekeepingTask => ({
      name,
      run: () => {
        order.push(name);
        return run();
      },
    });
    const down = new BursarError('SERVICE_UNREACHABLE', { baseUrl: 'http://s', reason: 'no' });
    const report = await watch(
      round('a', async () => Promise.reject(down)),
      round('b', async () => 'all is well'),
      round('c', async () => Promise.reject(new Error('disk full'))),
    );
    expect(order).toEqual(['a', 'b', 'c']);
    expect(report).toEqual({
      at: '2026-11-21T09:00:00.000Z',
      everyMs: 60_000,
      rounds: [
        { name: 'a', ok: false, says: down.note.what },
        { name: 'b', ok: true, says: 'all is well' },
        { name: 'c', ok: false, says: 'disk full' },
      ],
      store: await store.identity.ref(),
    });
    expect(await store.watches.find('housekeeping')).toMatchObject({
      condition: 'FAILING',
      seenAtMs: nowMs,
      detail: `a: ${down.note.what}; c: disk full`,
    });
  });

  it('record that they were run', async () => {
    await watch();
    expect(await store.watches.find('housekeeping')).toMatchObject({ condition: 'OK', detail: '' });
  });
});

describe("the account's own wallets", () => {
  const round = (addresses: readonly string[], lacks: readonly 'WALLET_LIST'[] = []) => {
    const service = fakeService({ eachWallet: walletsAt(...addresses) }, lacks);
    return asActivity().run(createOwnWalletRound({ store, service, nowMs: () => nowMs }).run);
  };
  const kept = () => store.ownWallets.list(ACCOUNT);

  it('are kept, each address once', async () => {
    expect(await round(['x', 'y', 'x'])).toBe('2 known');
    expect(await kept()).toEqual(['x', 'y']);
  });

  it('are listed again after ten minutes, and when the clock was set back', async () => {
    await round(['x']);
    nowMs += 599_999;
    expect(await round(['y', 'z'])).toBe('1 known');
    expect(await kept()).toEqual(['x']);
    nowMs += 1;
    expect(await round(['y', 'z'])).toBe('2 known');
    expect(await kept()).toEqual(['y', 'z']);
    nowMs -= 3_600_000;
    await round(['back']);
    expect(await kept()).toContain('back');
  });

  it('stay as they were when the list is cut off, which is read again', async () => {
    await expect(round(['x', 'lost'])).rejects.toMatchObject({ code: 'SERVICE_UNREACHABLE' });
    expect(await kept()).toEqual([]);
    await round(['x']);
    expect(await kept()).toEqual(['x']);
  });

  it('are unknown where the service does not list them', async () => {
    expect(await round(['x'], ['WALLET_LIST'])).toBe('the service does not list wallets');
    expect(await kept()).toEqual([]);
  });
});
