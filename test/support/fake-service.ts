import type { Service } from '../../src/activities/service.ts';
import { type MerchantClient, MerchantApiError } from '../../src/merchant-api/index.ts';
import type { Operation } from '../../src/spec/endpoints.ts';

const notExpected = () => Promise.reject(new Error('not expected in this test'));

/** A client whose every call fails the test, but for those that are given. */
export const fakeService = (
  calls: Partial<MerchantClient>,
  lacks: readonly Operation[] = [],
): Service => ({
  api: {
    readBalance: notExpected,
    createMassPayout: notExpected,
    readMassPayout: notExpected,
    calculateFees: notExpected,
    lookup: notExpected,
    hasOperation: (operation) => !lacks.includes(operation),
    clockSkewMs: () => undefined,
    close: () => Promise.resolve(),
    ...calls,
  },
  baseUrl: 'http://service',
  account: '0x00000000000000000000000000000000000000a1',
  pace: () => Promise.resolve(),
});

export const answer = <Value>(value: Value, serverDateMs?: number) => ({
  value,
  httpStatus: 200,
  bodySha256: 'b',
  ...(serverDateMs === undefined ? {} : { serverDateMs }),
});

export const refused = (httpStatus: number, documented = true): MerchantApiError =>
  new MerchantApiError('refused', { operation: 'LOOKUP', httpStatus, documented });

export const failed = (kind: 'not-sent' | 'no-answer' | 'unreadable'): MerchantApiError =>
  new MerchantApiError(kind, { operation: 'LOOKUP', reason: 'ECONNRESET', httpStatus: 200 });
