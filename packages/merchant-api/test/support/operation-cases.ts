import type { Answer, MerchantClient } from '@bursar/merchant-api';
import type { Operation } from '@bursar/merchant-api/spec';
import { IDEMPOTENCY_KEY } from './fixtures.ts';

export const REQUEST_ID = '9b2d4c4e-1f6a-4f0e-8a53-6f2f6c0d7a11';
export const HOOK_URL = 'https://hooks.example/in?t=CANARY-token';

export const SUBSCRIPTION = {
  requestId: REQUEST_ID,
  notificationEventTypes: ['PAYOUT_CHANGE_STATUS'],
  url: HOOK_URL,
  publicKey: 'pub-1',
  secretKey: 'CANARY-secret-key',
  createdDate: '2026-11-20T10:00:00Z',
  enabled: true,
  blockedByErrorCount: false,
  errorCount: 2,
  errorFirstDate: '2026-11-20T10:01:00Z',
  errorLastDate: '2026-11-20T10:02:00Z',
};

export const WALLET = {
  name: 'Main',
  address: 'TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj',
  blockchain: 'TRON',
  balances: [{ currency: 'USDT_TRC20', amount: '12.5', token: true }],
};

export const TRANSACTION = {
  amount: '12.5',
  currency: 'USDT_TRC20',
  opCode: 'SETTLEMENT_TOP_UP',
  serviceFee: '0.1',
  serviceFeeCurrency: 'USDT_TRC20',
  networkFee: '0.2',
  networkFeeCurrency: 'TRX',
  transactionHash: '0xab',
  addressTo: 'T1',
  createdDate: '2026-11-20T10:00:00Z',
};

export const USER = {
  userFullInfo: {
    id: 'u-1',
    username: 'u-1',
    companyId: 'c-1',
    companyName: 'Example Ltd',
    active: true,
    blocked: false,
    roles: ['ACCOUNT', 'COMPANY_ADMIN'],
  },
  permissions: [
    {
      accountId: 'a-1',
      accountName: 'Main',
      permissionGroups: [{ groupId: '9007199254740993', name: 'g', permissionData: { k: 'v' } }],
    },
  ],
  availableAccounts: [{ account: 'a-1', name: 'Main' }],
};

export const pageOf = (result: readonly object[], page = 1, total = 1): object => ({
  result,
  page,
  size: 10,
  total,
  totalElements: result.length,
});

/** An operation with a good input, what it must send, a good answer and what is made of it. */
export type OperationCase = Readonly<{
  operation: Operation;
  call: (client: MerchantClient, timestampMs?: number) => Promise<Answer<unknown>>;
  /** Exact JSON; absent for an operation without a payload. */
  payload?: string;
  accountScoped: boolean;
  /** Whether the spec shows the answer. */
  isShown: boolean;
  answer: object;
  value: unknown;
}>;

const stamp = (timestampMs: number | undefined) =>
  timestampMs === undefined ? {} : { timestampMs };

const HIDDEN_SUBSCRIPTION = { ...SUBSCRIPTION, secretKey: '[secret]' };

export const OPERATION_CASES: readonly OperationCase[] = [
  {
    operation: 'WEBHOOK_CREATE',
    call: (client, timestampMs) =>
      client.createWebhookSubscription(
        {
          notificationServiceTypes: ['PAYOUT', 'A_NEW_GROUP'],
          notificationEventTypes: ['PAYOUT_CHANGE_STATUS'],
          requestId: REQUEST_ID,
          url: HOOK_URL,
        },
        stamp(timestampMs),
      ),
    payload:
      `{"url":"${HOOK_URL}","requestId":"${REQUEST_ID}",` +
      '"notificationEventTypes":["PAYOUT_CHANGE_STATUS"],' +
      '"notificationServiceTypes":["PAYOUT","A_NEW_GROUP"]}',
    accountScoped: true,
    isShown: false,
    answer: SUBSCRIPTION,
    value: HIDDEN_SUBSCRIPTION,
  },
  {
    operation: 'WEBHOOK_CHANGE',
    call: (client, timestampMs) =>
      client.changeWebhookSubscription(
        { requestId: REQUEST_ID, url: HOOK_URL, notificationServiceTypes: ['WALLET'] },
        stamp(timestampMs),
      ),
    payload:
      `{"url":"${HOOK_URL}","requestId":"${REQUEST_ID}",` +
      '"notificationServiceTypes":["WALLET"]}',
    accountScoped: true,
    isShown: false,
    answer: SUBSCRIPTION,
    value: HIDDEN_SUBSCRIPTION,
  },
  {
    operation: 'WEBHOOK_DELETE',
    call: (client, timestampMs) =>
      client.deleteWebhookSubscription({ requestId: REQUEST_ID }, stamp(timestampMs)),
    payload: `{"requestId":"${REQUEST_ID}"}`,
    accountScoped: true,
    isShown: false,
    answer: SUBSCRIPTION,
    value: HIDDEN_SUBSCRIPTION,
  },
  {
    operation: 'WEBHOOK_LIST',
    call: (client, timestampMs) => client.listWebhookSubscriptions(stamp(timestampMs)),
    accountScoped: true,
    isShown: true,
    answer: { subscriptions: [SUBSCRIPTION] },
    value: { subscriptions: [HIDDEN_SUBSCRIPTION], unreadableParts: [] },
  },
  {
    operation: 'WALLET_LIST',
    call: (client, timestampMs) =>
      client.listWallets(
        {
          properties: 'address',
          sort: 'DESC',
          pageSize: 25,
          pageNumber: 2,
          nameOrAddress: 'Ma',
          currency: 'USDT_TRC20',
          blockchain: 'TRON',
        },
        stamp(timestampMs),
      ),
    payload:
      '{"blockchain":"TRON","currency":"USDT_TRC20","nameOrAddress":"Ma",' +
      '"pageNumber":2,"pageSize":25,"sort":"DESC","properties":"address"}',
    accountScoped: true,
    isShown: true,
    answer: pageOf([WALLET]),
    value: pageOf([WALLET]),
  },
  {
    operation: 'WALLET_CREATE',
    call: (client, timestampMs) =>
      client.createWallet({ blockchain: 'TRON', name: 'Löhne 💶' }, stamp(timestampMs)),
    payload: '{"name":"Löhne 💶","blockchain":"TRON"}',
    accountScoped: true,
    isShown: true,
    answer: WALLET,
    value: WALLET,
  },
  {
    operation: 'WALLET_RENAME',
    call: (client, timestampMs) =>
      client.renameWallet({ name: '', address: 'T1' }, stamp(timestampMs)),
    payload: '{"address":"T1","name":""}',
    accountScoped: true,
    isShown: false,
    answer: WALLET,
    value: { kind: 'wallet', ...WALLET },
  },
  {
    operation: 'TRANSACTION_LIST',
    call: (client, timestampMs) =>
      client.listTransactions(
        {
          currency: 'TRX',
          opcodes: ['FEE', 'A_NEW_CODE'],
          addressTo: 'T2',
          walletAddress: 'T1',
        },
        stamp(timestampMs),
      ),
    payload:
      '{"walletAddress":"T1","addressTo":"T2","opcodes":["FEE","A_NEW_CODE"],"currency":"TRX",' +
      '"pageNumber":1,"pageSize":10,"sort":"ASC","properties":"createdDate"}',
    accountScoped: true,
    isShown: true,
    answer: pageOf([TRANSACTION]),
    value: pageOf([TRANSACTION]),
  },
  {
    operation: 'OPCODES',
    call: (client, timestampMs) => client.listOperationCodes(stamp(timestampMs)),
    accountScoped: true,
    isShown: true,
    answer: { opCodes: ['FEE', 'A_NEW_CODE'] },
    value: ['FEE', 'A_NEW_CODE'],
  },
  {
    operation: 'LOOKUP_ADDRESS',
    call: (client, timestampMs) => client.lookupAddress({ address: 'T1' }, stamp(timestampMs)),
    payload: '{"address":"T1"}',
    accountScoped: true,
    isShown: false,
    answer: WALLET,
    value: { kind: 'wallet', ...WALLET },
  },
  {
    operation: 'REPORT',
    call: (client, timestampMs) =>
      client.requestReport(
        {
          zone: '+02:00',
          blockchainList: 'TRON',
          firstDate: '2026-10-01T00:00:00+02:00',
          lastDate: '2026-10-31T23:59:59.999Z',
        },
        stamp(timestampMs),
      ),
    payload:
      '{"firstDate":"2026-10-01T00:00:00+02:00","lastDate":"2026-10-31T23:59:59.999Z",' +
      '"blockchainList":"TRON","zoneOffset":{"totalSeconds":7200,"id":"+02:00",' +
      '"rules":{"fixedOffset":true,"transitions":[],"transitionRules":[]}}}',
    accountScoped: true,
    isShown: false,
    answer: { rows: [{ amount: '1.5', paid: true }], key: IDEMPOTENCY_KEY },
    value: { content: { rows: [{ amount: '1.5', paid: true }], key: IDEMPOTENCY_KEY } },
  },
  {
    operation: 'USER',
    call: (client, timestampMs) => client.readUser(stamp(timestampMs)),
    accountScoped: false,
    isShown: true,
    answer: USER,
    value: USER,
  },
];

/** What a value looks like once it is written down, secrets hidden. */
export const writtenDown = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
