import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Store } from '../../../src/store/index.ts';
import { buildUrl, runModule } from '../../support/child.ts';
import { openTestStore, testStoreUrl } from '../../support/test-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = temporaryFolder();
  store = await openTestStore(folder);
});
afterEach(() => store.close());

const NOW_MS = 1_800_000_000_000;
const notification = (id: string) => ({
  id,
  event: 'batch.failed',
  batchId: 'b',
  body: `{"${id}"}`,
});
const put = (id: string, ...targets: string[]) =>
  store.notifications.put(notification(id), { targets, atMs: NOW_MS });
const take = (nowMs = NOW_MS, limit = 10) => store.notifications.take({ nowMs, limit });

describe('a notification', () => {
  it('is written once: the second time changes nothing', async () => {
    expect(await put('m1', 'ops')).toBe(true);
    expect(await put('m1', 'ops', 'pager')).toBe(false);
    expect(await take()).toHaveLength(1);
  });

  it('is written once by two that write at the same time', async () => {
    const told = await Promise.all([put('m1', 'ops'), put('m1', 'ops')]);
    expect(told.sort()).toEqual([false, true]);
    expect(await store.notifications.deliveriesOf('m1')).toHaveLength(1);
  });

  it('needs no target to be remembered', async () => {
    expect(await put('m1')).toBe(true);
    expect(await put('m1', 'ops')).toBe(false);
    expect(await take()).toEqual([]);
  });
});

describe('deliveries', () => {
  it('are taken with all facts for a try, and by no other process meanwhile', async () => {
    await put('m1', 'ops');
    expect(await take()).toEqual([
      { ...notification('m1'), target: 'ops', attempts: 1, createdAtMs: NOW_MS },
    ]);
    expect(await take()).toEqual([]);
    expect(await take(NOW_MS + 59_999)).toEqual([]);
  });

  it('come back when the process that took them does not report their result', async () => {
    await put('m1', 'ops');
    await take();
    expect(await take(NOW_MS + 60_000)).toMatchObject([{ id: 'm1', attempts: 2 }]);
  });

  it('come back when they are due again, and not before', async () => {
    await put('m1', 'ops');
    await take();
    const again = { state: 'WAITING', error: 'status 500', nextAtMs: NOW_MS + 5_000 } as const;
    await store.notifications.end({ id: 'm1', target: 'ops' }, again);
    expect(await take(NOW_MS + 4_999)).toEqual([]);
    expect(await take(NOW_MS + 5_000)).toMatchObject([{ attempts: 2 }]);
  });

  it.each(['DELIVERED', 'GIVEN_UP'] as const)('that are %s never come back', async (state) => {
    await put('m1', 'ops', 'pager');
    await take();
    const end = state === 'DELIVERED' ? { state } : { state, error: 'status 410' };
    await store.notifications.end({ id: 'm1', target: 'ops' }, end);
    const late = { state: 'WAITING', error: 'slower', nextAtMs: NOW_MS } as const;
    await store.notifications.end({ id: 'm1', target: 'ops' }, late);
    expect(await take(NOW_MS + 1e9)).toMatchObject([{ target: 'pager' }]);
  });

  it('are taken by two workers at once, each by one of them', async () => {
    for (let n = 0; n < 20; n += 1) await put(`m${n}`, 'ops');
    const other = runModule(`
      const { openStore } = await import('${buildUrl('src/store/index.js')}');
      const store = await openStore(${JSON.stringify(await testStoreUrl(folder))});
      const taken = await store.notifications.take({ nowMs: ${NOW_MS}, limit: 15 });
      process.stdout.write(JSON.stringify(taken));
      await store.close();
    `);
    const mine = await take(NOW_MS, 15);
    const theirs = JSON.parse(await other) as { id: string }[];
    const ids = [...mine, ...theirs].map(({ id }) => id);
    expect(ids).toHaveLength(20);
    expect(new Set(ids).size).toBe(20);
  });

  it('of one notification can be taken alone', async () => {
    await put('m1', 'ops');
    await put('m2', 'ops');
    expect(await store.notifications.take({ nowMs: NOW_MS, limit: 10, id: 'm2' })).toMatchObject([
      { id: 'm2' },
    ]);
  });

  it('that fail are listed with their reason, and delivered ones are not', async () => {
    await put('m1', 'ops', 'pager', 'chat');
    await take();
    const at = (target: string) => ({ id: 'm1', target });
    await store.notifications.end(at('ops'), { state: 'GIVEN_UP', error: 'status 410' });
    await store.notifications.end(at('pager'), { state: 'DELIVERED' });
    expect(await store.notifications.failing({ sinceMs: NOW_MS, limit: 10 })).toEqual([
      {
        ...at('ops'),
        event: 'batch.failed',
        state: 'GIVEN_UP',
        attempts: 1,
        nextAtMs: expect.any(Number),
        error: 'status 410',
      },
    ]);
  });

  it('that fail are not listed for tests, and not after a long time', async () => {
    await store.notifications.put(
      { id: 't', event: 'notify.test', batchId: null, body: '{}' },
      { targets: ['ops'], atMs: NOW_MS },
    );
    await put('m1', 'ops');
    await take();
    for (const id of ['t', 'm1']) {
      const end = { state: 'GIVEN_UP', error: 'status 410' } as const;
      await store.notifications.end({ id, target: 'ops' }, end);
    }
    const since = (sinceMs: number) => store.notifications.failing({ sinceMs, limit: 10 });
    expect(await since(NOW_MS)).toMatchObject([{ id: 'm1' }]);
    expect(await since(NOW_MS + 1)).toEqual([]);
  });

  it('survive the death of a worker in the middle of a try', async () => {
    await put('m1', 'ops');
    const died = runModule(`
      const { openStore } = await import('${buildUrl('src/store/index.js')}');
      const store = await openStore(${JSON.stringify(await testStoreUrl(folder))});
      await store.notifications.take({ nowMs: ${NOW_MS}, limit: 10 });
      process.kill(process.pid, 'SIGKILL');
      await new Promise(() => setInterval(() => undefined, 1000));
    `);
    await expect(died).rejects.toThrow('the child ended with null');
    expect(await take()).toEqual([]);
    expect(await take(NOW_MS + 60_000)).toMatchObject([{ id: 'm1', attempts: 2 }]);
  });
});
