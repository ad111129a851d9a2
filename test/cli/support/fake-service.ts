import type { ServiceAccess } from '../../../src/operations/context.ts';
import type { FeeItem } from '@bursar/merchant-api';
import { preparedBody, unexpectedCalls } from '../../support/fake-service.ts';
import { ACCOUNT } from '../../support/store-fixtures.ts';

const answer = <Value>(value: Value) => ({
  value,
  httpStatus: 200,
  timestampMs: 1,
  bodySha256: 'b',
});

export const BALANCES = {
  account: ACCOUNT,
  name: 'Main',
  balances: [{ currency: 'USDT_TRC20', amount: '1000' }],
  unreadableParts: [],
};

/** A service that holds 1000 USDT_TRC20 and charges one hundredth; whatever a test gives replaces an operation. */
export function fakeService(
  more: Partial<ServiceAccess['api']> = {},
): ServiceAccess & { readonly closed: () => number } {
  let closed = 0;
  return {
    baseUrl: 'https://service.test',
    account: ACCOUNT,
    api: {
      ...unexpectedCalls,
      readBalance: async () => answer(BALANCES),
      eachWallet: noWallets,
      calculateFees: async ({ items }) => answer(items.map(quote)),
      prepareBody: preparedBody,
      hasOperation: () => true,
      takesReference: () => true,
      clockSkewMs: () => 0,
      serverMsAtLeast: () => undefined,
      async close() {
        closed += 1;
      },
      ...more,
    },
    closed: () => closed,
  };
}

// oxlint-disable-next-line require-yield -- an account without wallets
async function* noWallets(): ReturnType<ServiceAccess['api']['eachWallet']> {}

function quote({ baseAmount, currency }: FeeItem) {
  const fee = { amount: baseAmount, fee: '0.01' };
  return {
    amount: baseAmount,
    currency,
    opType: 'WITHDRAWAL',
    feeSender: fee,
    feeReceiver: { ...fee, fee: '0' },
  };
}
