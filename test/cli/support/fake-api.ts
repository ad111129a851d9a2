import type { ServiceAccess } from '../../../src/operations/context.ts';
import type { Transaction, Wallet, WebhookSubscription } from '@bursar/merchant-api';
import { secretString } from '../../../packages/merchant-api/src/secret-string.ts';
import { ACCOUNT } from '../../support/store-fixtures.ts';

const answer = <Value>(value: Value) => ({
  value,
  httpStatus: 200,
  timestampMs: 1,
  bodySha256: 'b',
});

export const SECRET = 'whsec-canary-0123456789';

export const REQUEST_ID = '9b2d4c4e-1f6a-4f0e-8a53-6f2f6c0d7a11';

export const WALLET: Wallet = {
  name: 'Payroll',
  address: 'TBZF657F87UdDvu3uLC5XgL2N4ULnHNVkP',
  blockchain: 'TRON',
  balances: [{ currency: 'USDT_TRC20', amount: '0.000000000000000001', token: true }],
};

export const TRANSACTION: Transaction = {
  amount: '12.5',
  currency: 'USDT_TRC20',
  opCode: 'TOP_UP',
  serviceFee: '0.125',
  serviceFeeCurrency: 'USDT_TRC20',
  networkFee: '0',
  networkFeeCurrency: 'TRX',
  transactionHash: 'hash-1',
  createdDate: '2026-11-21T08:00:00.000Z',
};

export const SUBSCRIPTION: WebhookSubscription = {
  requestId: REQUEST_ID,
  notificationEventTypes: ['PAYOUT_CHANGE_STATUS', 'PAYOUT_CONFIRMED'],
  url: 'https://hooks.example/in',
  publicKey: 'public-1',
  secretKey: secretString(SECRET),
  createdDate: '2026-11-21T08:00:00Z',
  enabled: true,
  blockedByErrorCount: false,
  errorCount: 0,
};

export const USER = {
  userFullInfo: { id: 'user-1', username: 'ann', active: true, blocked: false, roles: ['ACCOUNT'] },
  permissions: [
    {
      accountId: ACCOUNT,
      accountName: 'Main',
      permissionGroups: [
        { groupId: '9007199254740993', name: 'Payouts', permissionData: { a: 'b' } },
      ],
    },
  ],
  availableAccounts: [{ account: ACCOUNT, name: 'Main' }],
};

const page = <Item>(result: readonly Item[]) => ({
  result,
  page: 1,
  size: 10,
  total: 3,
  totalElements: 21,
});

async function* each<Item>(...items: readonly Item[]): AsyncGenerator<Item, void, undefined> {
  yield* items;
}

const payoutOf = (input: unknown) => ({
  ...(input as { idempotencyKey?: string; currency?: string }),
  id: 'mp-1',
  state: 'CREATION_IN_PROGRESS',
  account: ACCOUNT,
  withdrawalErrors: [],
  unreadableParts: [],
});

type Api = ServiceAccess['api'];

/** Answers to every operation, and what each was asked. */
export function fakeApi(): { asked: Record<string, unknown[]>; api: Partial<Api> } {
  const asked: Record<string, unknown[]> = {};
  const note = (name: string, ...input: unknown[]): void => {
    (asked[name] ??= []).push(...input);
  };
  const on =
    <Value>(name: string, value: Value) =>
    async (input?: unknown) => {
      note(name, input);
      return answer(value);
    };
  const created = async (input: unknown) => {
    note('createMassPayout', input);
    const { massAddresses: _, ...record } = payoutOf(input) as ReturnType<typeof payoutOf> & {
      massAddresses?: unknown;
    };
    return answer(record);
  };
  const assumed = { kind: 'wallet' as const, ...WALLET };
  const api: Partial<Api> = {
    lookup: on('lookup', { kind: 'massPayout' as const, ...payoutOf({}) }),
    readMassPayout: on('readMassPayout', payoutOf({})),
    createMassPayout: created,
    listWallets: on('listWallets', page([WALLET])),
    listTransactions: on('listTransactions', page([TRANSACTION])),
    eachWallet: (filter) => {
      note('eachWallet', filter);
      return each(WALLET, { ...WALLET, name: 'Second' });
    },
    eachTransaction: (filter) => {
      note('eachTransaction', filter);
      return each(TRANSACTION, TRANSACTION);
    },
    createWallet: on('createWallet', WALLET),
    renameWallet: on('renameWallet', assumed),
    lookupAddress: on('lookupAddress', assumed),
    listOperationCodes: on('listOperationCodes', ['TOP_UP', 'NEW_CODE']),
    requestReport: on('requestReport', { content: { rows: '1' } }),
    readUser: on('readUser', USER),
    listWebhookSubscriptions: on('listWebhookSubscriptions', {
      subscriptions: [SUBSCRIPTION],
      unreadableParts: [],
    }),
    createWebhookSubscription: on('createWebhookSubscription', SUBSCRIPTION),
    changeWebhookSubscription: on('changeWebhookSubscription', SUBSCRIPTION),
    deleteWebhookSubscription: on('deleteWebhookSubscription', {}),
  };
  return { asked, api };
}
