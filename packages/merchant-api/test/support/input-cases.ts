import type { MerchantClient } from '@bursar/merchant-api';
import type { Operation } from '@bursar/merchant-api/spec';
import { IDEMPOTENCY_KEY, MASS_PAYOUT } from './fixtures.ts';
import { HOOK_URL, REQUEST_ID } from './operation-cases.ts';

/** An operation with a payload: a good input, the fields that the spec documents, and how it is called. */
export type InputCase = Readonly<{
  operation: Operation;
  good: Readonly<Record<string, unknown>>;
  /** Dotted paths; places in lists are left out. */
  fields: string;
  call: (client: MerchantClient, input: never) => Promise<unknown>;
}>;

const SUBSCRIPTION_FIELDS = 'url requestId notificationEventTypes notificationServiceTypes';
const PAGE_FIELDS = 'pageNumber pageSize sort properties';

const within = (path: string, fields: string): string =>
  fields
    .split(' ')
    .map((field) => `${path}.${field}`)
    .join(' ');

const UNIT_FIELDS = 'durationEstimated timeBased dateBased';
const DURATION_FIELDS = `seconds nano zero negative units ${within('units', UNIT_FIELDS)}`;
const TRANSITION_FIELDS =
  'overlap gap dateTimeAfter dateTimeBefore instant duration ' +
  within('duration', DURATION_FIELDS);
const RULE_FIELDS =
  'fixedOffset transitions transitionRules ' + within('transitions', TRANSITION_FIELDS);
const ZONE_FIELDS = `totalSeconds id rules ${within('rules', RULE_FIELDS)}`;

const REPORT = {
  firstDate: '2026-10-01T00:00:00Z',
  lastDate: '2026-10-31T00:00:00Z',
  blockchainList: 'TRON',
  zone: 'Europe/Berlin',
};

export const INPUT_CASES: readonly InputCase[] = [
  {
    operation: 'MASS_CREATE',
    good: {
      ...MASS_PAYOUT,
      name: 'October',
      comment: 'all of it',
      executionDate: '2026-11-20T10:00:00Z',
      externalId: 'b/1',
    },
    fields:
      'currency name comment massAddresses executionDate idempotencyKey externalId ' +
      within('massAddresses', 'depositAddress amount comment'),
    call: (client, input) => client.createMassPayout(input),
  },
  {
    operation: 'MASS_GET',
    good: { idempotencyKey: IDEMPOTENCY_KEY },
    fields: 'id idempotencyKey',
    call: (client, input) => client.readMassPayout(input),
  },
  {
    operation: 'LOOKUP',
    good: { id: 'mp-1' },
    fields: 'id idempotencyKey',
    call: (client, input) => client.lookup(input),
  },
  {
    operation: 'FEE_CALCULATION',
    good: {
      items: [
        { baseAmount: '1.5', currency: 'BTC', opType: 'WITHDRAWAL', feeType: 'SERVICE' },
        { baseAmount: '2', currency: 'ETH', opType: 'INVOICE', feeType: 'PERCENT' },
      ],
    },
    fields: `items ${within('items', 'baseAmount currency opType feeType')}`,
    call: (client, input) => client.calculateFees(input),
  },
  {
    operation: 'WEBHOOK_CREATE',
    good: { url: HOOK_URL, requestId: REQUEST_ID, notificationServiceTypes: ['PAYOUT'] },
    fields: SUBSCRIPTION_FIELDS,
    call: (client, input) => client.createWebhookSubscription(input),
  },
  {
    operation: 'WEBHOOK_CHANGE',
    good: { url: HOOK_URL, requestId: REQUEST_ID, notificationEventTypes: ['INVOICE_PAID'] },
    fields: SUBSCRIPTION_FIELDS,
    call: (client, input) => client.changeWebhookSubscription(input),
  },
  {
    operation: 'WEBHOOK_DELETE',
    good: { requestId: REQUEST_ID },
    fields: 'requestId',
    call: (client, input) => client.deleteWebhookSubscription(input),
  },
  {
    operation: 'WALLET_LIST',
    good: { blockchain: 'TRON' },
    fields: `blockchain currency nameOrAddress ${PAGE_FIELDS}`,
    call: (client, input) => client.listWallets(input),
  },
  {
    operation: 'WALLET_CREATE',
    good: { name: 'Main', blockchain: 'TRON' },
    fields: 'name blockchain',
    call: (client, input) => client.createWallet(input),
  },
  {
    operation: 'WALLET_RENAME',
    good: { address: 'T1', name: 'Main' },
    fields: 'address name',
    call: (client, input) => client.renameWallet(input),
  },
  {
    operation: 'TRANSACTION_LIST',
    good: { opcodes: ['FEE'] },
    fields: `walletAddress addressTo opcodes currency ${PAGE_FIELDS}`,
    call: (client, input) => client.listTransactions(input),
  },
  {
    operation: 'LOOKUP_ADDRESS',
    good: { address: 'T1' },
    fields: 'address',
    call: (client, input) => client.lookupAddress(input),
  },
  {
    operation: 'REPORT',
    good: REPORT,
    fields: `firstDate lastDate blockchainList zoneOffset ${within('zoneOffset', ZONE_FIELDS)}`,
    call: (client, input) => client.requestReport(input),
  },
];
