import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compact } from '../../src/merchant-api/compact.ts';
import { MerchantApiError, type MerchantClient } from '../../src/merchant-api/index.ts';
import type { Operation } from '../../src/spec/endpoints.ts';
import { EVENT_GROUPS, EVENT_TYPES } from '../../src/spec/events.ts';
import { OPERATION_CODES } from '../../src/spec/wallets.ts';
import { failureOf, openClient, openServer } from './support/fixtures.ts';
import { HOOK_URL, REQUEST_ID } from './support/operation-cases.ts';
import { answering } from './support/raw-server.ts';

type Call = (client: MerchantClient, input: never) => Promise<unknown>;

/** Each operation with a payload: a good input, the fields it documents, and how it is called. */
const CALLS: readonly (readonly [
  Operation,
  Readonly<{ good: object; fields: string; call: Call }>,
])[] = [
  [
    'WEBHOOK_CREATE',
    {
      good: { url: HOOK_URL, requestId: REQUEST_ID, notificationServiceTypes: ['PAYOUT'] },
      fields: 'url requestId notificationEventTypes notificationServiceTypes',
      call: (client, input) => client.createWebhookSubscription(input),
    },
  ],
  [
    'WEBHOOK_CHANGE',
    {
      good: { url: HOOK_URL, requestId: REQUEST_ID, notificationEventTypes: ['INVOICE_PAID'] },
      fields: 'url requestId notificationEventTypes notificationServiceTypes',
      call: (client, input) => client.changeWebhookSubscription(input),
    },
  ],
  [
    'WEBHOOK_DELETE',
    {
      good: { requestId: REQUEST_ID },
      fields: 'requestId',
      call: (client, input) => client.deleteWebhookSubscription(input),
    },
  ],
  [
    'WALLET_LIST',
    {
      good: { blockchain: 'TRON' },
      fields: 'blockchain currency nameOrAddress pageNumber pageSize sort properties',
      call: (client, input) => client.listWallets(input),
    },
  ],
  [
    'WALLET_CREATE',
    {
      good: { name: 'Main', blockchain: 'TRON' },
      fields: 'name blockchain',
      call: (client, input) => client.createWallet(input),
    },
  ],
  [
    'WALLET_RENAME',
    {
      good: { address: 'T1', name: 'Main' },
      fields: 'address name',
      call: (client, input) => client.renameWallet(input),
    },
  ],
  [
    'TRANSACTION_LIST',
    {
      good: { opcodes: ['FEE'] },
      fields: 'walletAddress addressTo opcodes currency pageNumber pageSize sort properties',
      call: (client, input) => client.listTransactions(input),
    },
  ],
  [
    'LOOKUP_ADDRESS',
    {
      good: { address: 'T1' },
      fields: 'address',
      call: (client, input) => client.lookupAddress(input),
    },
  ],
  [
    'REPORT',
    {
      good: {
        firstDate: '2026-10-01T00:00:00Z',
        lastDate: '2026-10-31T00:00:00Z',
        blockchainList: 'TRON',
        zone: 'Europe/Berlin',
      },
      fields: 'firstDate lastDate blockchainList zoneOffset',
      call: (client, input) => client.requestReport(input),
    },
  ],
];

const bad = (operation: Operation, changes: Readonly<Record<string, unknown>>) =>
  Object.entries(changes).map(([what, change]) => [operation, what, change] as const);

const NAMES = { 'no list': 'PAYOUT', 'an empty list': [], 'a name with a space': ['PAYOUT '] };
const BAD_NAMES = {
  ...NAMES,
  'a name in small letters': ['payout'],
  'an empty name': [''],
  'a name with a line break': ['PAYOUT\n'],
  'a name of another type': [1],
  'a name without an end': ['A'.repeat(101)],
};
const badLists = (operation: Operation, field: string) =>
  Object.entries(BAD_NAMES).map(
    ([what, value]) => [operation, `${field}: ${what}`, { [field]: value }] as const,
  );

const BAD_URLS = {
  'no url': '',
  'another scheme': 'ftp://hooks.example/',
  'a script': 'javascript:alert(1)',
  'no scheme': 'hooks.example/in',
  'no host': 'https://',
  'one slash': 'https:/hooks.example',
  credentials: 'https://user:CANARY@hooks.example/',
  'a fragment': 'https://hooks.example/#x',
  'a space around it': ` ${HOOK_URL}`,
  'a space in it': 'https://hooks.example/a b',
  'a line break': 'https://hooks.example/\n',
  'letters that are not ASCII': 'https://höks.example/',
  'a wrong port': 'https://hooks.example:99999/',
};

const BAD_PAGING = {
  'page 0': { pageNumber: 0 },
  'half a page': { pageNumber: 1.5 },
  'a page that is text': { pageNumber: '1' },
  'a page over int32': { pageNumber: 2 ** 31 },
  'a page that is no number': { pageNumber: Number.NaN },
  'an empty page size': { pageSize: 0 },
  'a page size without end': { pageSize: Number.POSITIVE_INFINITY },
  'another order': { sort: 'asc' },
  'no attribute to sort by': { properties: '' },
};

const BAD_DATES = {
  'a first date without an offset': { firstDate: '2026-10-01T00:00:00' },
  'a date without a time': { firstDate: '2026-10-01' },
  'a day that does not exist': { firstDate: '2026-02-29T00:00:00Z' },
  'dates in the wrong order': { lastDate: '2026-09-30T23:59:59Z' },
  'dates in the wrong order by a millisecond': { lastDate: '2026-09-30T23:59:59.999Z' },
  'no blockchains': { blockchainList: '' },
  'a list of blockchains': { blockchainList: ['TRON'] },
  'a zone that nobody knows': { zone: 'Europe/Atlantis' },
  'no zone': { zone: '' },
  'an offset without a colon': { zone: '+0200' },
  'an offset without a minute': { zone: '+02' },
  'an offset over 18 hours': { zone: '+18:00:01' },
  'an offset with 60 minutes': { zone: '+02:60' },
  'dates too far apart for a zone': { firstDate: '1926-10-01T00:00:00Z' },
};

const BAD_INPUTS = [
  ...Object.entries(BAD_URLS).flatMap(([what, url]) => [
    ...bad('WEBHOOK_CREATE', { [`a url with ${what}`]: { url } }),
    ...bad('WEBHOOK_CHANGE', { [`a url with ${what}`]: { url } }),
  ]),
  ...bad('WEBHOOK_CREATE', {
    'a requestId that is no UUID': { requestId: 'hook-1' },
    'neither types nor groups': { notificationServiceTypes: undefined },
  }),
  ...badLists('WEBHOOK_CREATE', 'notificationEventTypes'),
  ...badLists('WEBHOOK_CHANGE', 'notificationServiceTypes'),
  ...bad('WEBHOOK_CHANGE', { 'no requestId': { requestId: undefined } }),
  ...bad('WEBHOOK_DELETE', { 'a requestId that is no UUID': { requestId: '' } }),
  ...bad('WALLET_LIST', { ...BAD_PAGING, 'an empty filter': { currency: '' } }),
  ...bad('TRANSACTION_LIST', { ...BAD_PAGING, 'an empty filter': { walletAddress: '' } }),
  ...badLists('TRANSACTION_LIST', 'opcodes'),
  ...bad('WALLET_CREATE', {
    'a name of 101 characters': { name: 'x'.repeat(101) },
    'a name of 51 emoji': { name: '💶'.repeat(51) },
    'half a character': { name: '\ud83d' },
    'no name': { name: undefined },
    'no blockchain': { blockchain: '' },
  }),
  ...bad('WALLET_RENAME', {
    'a name of 101 characters': { name: 'x'.repeat(101) },
    'no address': { address: '' },
  }),
  ...bad('LOOKUP_ADDRESS', { 'no address': { address: '' } }),
  ...bad('REPORT', BAD_DATES),
];

const callOf = (operation: Operation) => {
  const found = CALLS.find(([name]) => name === operation);
  if (found === undefined) throw new Error(`no call of ${operation}`);
  return found[1];
};

describe('wrong input', () => {
  it.each(BAD_INPUTS)('of %s with %s is refused before anything is sent', async (...row) => {
    const [operation, , change] = row;
    const { good, call } = callOf(operation);
    const server = await openServer({});
    // An undefined member of a change takes the member away.
    const input = compact({ ...good, ...(change as object) }) as never;
    const error = await failureOf(call(openClient(server.url), input));
    expect(error).toMatchObject({ kind: 'invalid-input', operation });
    expect(error.message).not.toContain('CANARY');
    expect(server.connectionCount()).toBe(0);
  });

  it.each([
    ['a name of 100 characters', 'WALLET_CREATE', { name: 'x'.repeat(100) }],
    ['a name of 50 emoji', 'WALLET_RENAME', { name: '💶'.repeat(50) }],
    ['an empty name', 'WALLET_RENAME', { name: '' }],
    ['every event type', 'WEBHOOK_CREATE', { notificationEventTypes: EVENT_TYPES }],
    ['every event group', 'WEBHOOK_CHANGE', { notificationServiceTypes: EVENT_GROUPS }],
    ['every operation code', 'TRANSACTION_LIST', { opcodes: OPERATION_CODES }],
    ['the largest page', 'WALLET_LIST', { pageNumber: 2 ** 31 - 1, pageSize: 2 ** 31 - 1 }],
    ['a receiver without TLS', 'WEBHOOK_CHANGE', { url: 'http://127.0.0.1:8790/hooks/x?y=%20' }],
    ['a report of one instant', 'REPORT', { lastDate: '2026-10-01T00:00:00Z' }],
    ['a long report with an offset', 'REPORT', { firstDate: '0001-01-01T00:00:00Z', zone: 'Z' }],
  ] as const)('is not %s', async (_what, operation, change) => {
    const { good, call } = callOf(operation);
    const server = await openServer({ onRequest: answering({ status: 400 }) });
    const error = await failureOf(call(openClient(server.url), { ...good, ...change } as never));
    expect(error.kind).toBe('refused');
  });
});

describe.each(CALLS)('%s, whatever it is given,', (operation, { good, fields, call }) => {
  const names = Object.keys(good);
  const anyInput = fc.oneof(
    fc.anything(),
    fc
      .tuple(fc.constantFrom(...names, 'extra'), fc.anything())
      .map(([name, value]) => ({ ...good, [name]: value })),
    fc
      .tuple(fc.constantFrom(...names), fc.string({ unit: 'binary' }))
      .map(([name, value]) => ({ ...good, [name]: value })),
  );

  it('sends documented fields only or refuses, and never fails otherwise', async () => {
    const server = await openServer({ onRequest: answering({ status: 400 }) });
    const client = openClient(server.url);
    await fc.assert(
      fc.asyncProperty(anyInput, async (input) => {
        const before = server.requests.length;
        const error = await call(client, input as never).catch((caught: unknown) => caught);
        if (!(error instanceof MerchantApiError)) throw error;
        const sent = server.requests.slice(before).map(({ body }) => JSON.parse(body).payload);
        expect(sent).toHaveLength(error.kind === 'invalid-input' ? 0 : 1);
        const allowed = fields.split(' ');
        for (const payload of sent) {
          expect(Object.keys(payload).filter((name) => !allowed.includes(name))).toEqual([]);
        }
      }),
    );
    expect(await failureOf(call(client, good as never))).toMatchObject({
      kind: 'refused',
      operation,
    });
  });
});
