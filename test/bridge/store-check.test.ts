import { expect, it } from '@jest/globals';
import { createStoreCheck } from '../../src/bridge/store-check.ts';
import type { StoreRef } from '../../src/domain/store/identity.ts';

const refOf = (id: string): StoreRef => ({ id, audit: { seq: 0, hash: '' } });

function checkWith(readServedStore: () => Promise<StoreRef | undefined>) {
  const logged: string[] = [];
  const write = (_facts: unknown, message: string): void => void logged.push(message);
  const check = createStoreCheck({
    identity: { read: async () => ({ id: 'ours', succeeds: ['lost'] }) },
    file: undefined,
    taskQueue: 'q',
    readServedStore,
    clock: { nowMs: () => 0, wait: async () => undefined },
    log: { debug: write, info: write, warn: write, error: write },
  });
  return { check, logged };
}

it('refuses while the workers have another store, and logs that once', async () => {
  let served = refOf('theirs');
  const { check, logged } = checkWith(async () => served);
  for (const _time of [1, 2, 3]) await check.check();
  expect(check.refusal()?.code).toBe('STORE_IS_ANOTHER');
  served = refOf('lost');
  for (const _time of [1, 2]) await check.check();
  expect(check.refusal()).toBeNull();
  expect(logged).toEqual(['the bridge refuses webhooks', 'the bridge takes webhooks again']);
});

it.each([
  ['no worker has recorded its store', async () => undefined],
  ['Temporal does not answer', async () => Promise.reject(new Error('down'))],
])('takes webhooks when %s', async (_what, readServedStore) => {
  const { check } = checkWith(readServedStore);
  await check.check();
  expect(check.refusal()).toBeNull();
});
