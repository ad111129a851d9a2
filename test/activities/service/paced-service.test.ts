import { describe, expect, it } from '@jest/globals';
import { type MerchantClient, MerchantApiError } from '@bursar/merchant-api';
import { createPacedService } from '../../../src/activities/service/paced-service.ts';
import { fakeService } from '../../support/fake-service.ts';

const throttled = new MerchantApiError('refused', {
  operation: 'LOOKUP',
  httpStatus: 429,
  documented: true,
  retryAfterMs: 7_000,
});

const refuses = () => Promise.reject(throttled);

/** Every operation that a worker calls, each of which is refused for the number of requests. */
const REFUSING: Partial<MerchantClient> = {
  createMassPayout: refuses,
  readBalance: refuses,
  readMassPayout: refuses,
  calculateFees: refuses,
  lookup: refuses,
  listTransactions: refuses,
  listWebhookSubscriptions: refuses,
};

/** A service on a store that counts slots, and keeps the times that were stored. */
function playService() {
  const stored: number[] = [];
  let slots = 0;
  const pace = {
    takeSlot: async () => {
      slots += 1;
      return { slotMs: slots, waitMs: 0 };
    },
    setRetryAfter: async (_account: string, retryAfterMs: number) => void stored.push(retryAfterMs),
    retryWaitMs: async () => 0,
  };
  const service = createPacedService({
    api: fakeService(REFUSING).api,
    baseUrl: 'http://service',
    lookupName: 'http://service',
    account: 'a',
    requestsPerSecond: 5,
    store: { pace },
    nowMs: () => 0,
    warn: (reason) => {
      throw new Error(reason);
    },
    clock: { nowMs: () => 0, wait: async () => undefined },
  });
  return { service, stored, slots: () => slots };
}

describe('a paced service', () => {
  const key = { idempotencyKey: 'k' };
  const calls: readonly [keyof MerchantClient, (api: MerchantClient) => Promise<unknown>][] = [
    ['readBalance', (api) => api.readBalance()],
    ['readMassPayout', (api) => api.readMassPayout(key)],
    ['calculateFees', (api) => api.calculateFees({ items: [] })],
    ['lookup', (api) => api.lookup(key)],
    ['listTransactions', (api) => api.listTransactions()],
    ['listWebhookSubscriptions', (api) => api.listWebhookSubscriptions()],
  ];

  it.each(calls)(
    'takes a slot for %s, and stores the time that a 429 names',
    async (_name, call) => {
      const { service, stored, slots } = playService();
      await expect(call(service.api)).rejects.toBe(throttled);
      expect([slots(), stored]).toEqual([1, [7_000]]);
    },
  );

  it('stores the time that the 429 of a create names, whose slot was taken before its attempt', async () => {
    const { service, stored, slots } = playService();
    await service.pace();
    const create = service.api.createMassPayout({ payloadText: '{}' });
    await expect(create).rejects.toBe(throttled);
    expect([slots(), stored]).toEqual([1, [7_000]]);
  });
});
