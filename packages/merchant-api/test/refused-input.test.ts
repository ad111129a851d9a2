import { describe, expect, it } from '@jest/globals';
import { compact } from '../src/compact.ts';
import {
  type Operation,
  EVENT_GROUPS,
  EVENT_TYPES,
  OPERATION_CODES,
} from '@bursar/merchant-api/spec';
import { failureOf, openClient, openServer } from './support/fixtures.ts';
import { INPUT_CASES } from './support/input-cases.ts';
import { HOOK_URL } from './support/operation-cases.ts';
import { answering } from './support/raw-server.ts';

const bad = (operation: Operation, changes: Readonly<Record<string, unknown>>) =>
  Object.entries(changes).map(([what, change]) => [operation, what, change] as const);

/** To compare it with a number throws. */
const NO_NUMBER = { toString: 'CANARY', valueOf: 'CANARY' };

const NAMES = { 'no list': 'PAYOUT', 'an empty list': [], 'a name with a space': ['PAYOUT '] };
const BAD_NAMES = {
  ...NAMES,
  'a name in small letters': ['payout'],
  'an empty name': [''],
  'no list, and its length is no number': { length: NO_NUMBER },
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
  'an unknown zone': { zone: 'Europe/Atlantis' },
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
  ...bad('WEBHOOK_CHANGE', {
    'no requestId': { requestId: undefined },
    'neither types nor groups': { notificationEventTypes: undefined },
  }),
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
  ...bad('LOOKUP_ADDRESS', {
    'no address': { address: '' },
    'an address whose length is no number': { address: { length: NO_NUMBER } },
  }),
  ...bad('REPORT', BAD_DATES),
];

const callOf = (operation: Operation) => {
  const found = INPUT_CASES.find((each) => each.operation === operation);
  if (found === undefined) throw new Error(`no call of ${operation}`);
  return found;
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
