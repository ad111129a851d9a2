import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EVENT_TYPES_OF_GROUP } from '@bursar/merchant-api/spec';
import { anyText } from '../../../test/support/any-text.ts';
import { ACCOUNT, type Client, errorCodeOf, json, type Reply } from './support/client.ts';
import { START_MS } from './support/manual-clock.ts';
import { ledger } from './support/payouts.ts';
import { startReceiver } from './support/receiver.ts';
import { type Started, startSandbox } from './support/start.ts';
import { subscriptions } from './support/subscriptions.ts';
import { until } from './support/until.ts';

const OPERATIONS = ['WEBHOOK_CREATE', 'WEBHOOK_CHANGE', 'WEBHOOK_LIST', 'WEBHOOK_DELETE'] as const;
type WebhookOperation = (typeof OPERATIONS)[number];

const OTHER_ACCOUNT = '0x00000000000000000000000000000000000000ff';
const TWO_ACCOUNTS = {
  KEYS: [ACCOUNT, OTHER_ACCOUNT].map((each) => `sandbox-key:sandbox-secret:${each}`).join(),
};
const URL = 'http://127.0.0.1:8787/hooks';

type Channel = Readonly<{
  requestId: string;
  url: string;
  notificationEventTypes: readonly string[];
  publicKey: string;
  secretKey: string;
  enabled: boolean;
  errorCount: number;
}>;

const ask = (
  client: Client,
  operation: WebhookOperation,
  payload: unknown,
  account = ACCOUNT,
): Promise<Reply> =>
  client.call(operation, {
    account: JSON.stringify(account),
    payload: payload === undefined ? undefined : JSON.stringify(payload),
  });

const channelOf = ({ status, text }: Reply): Channel => {
  expect([status, text]).toEqual([200, expect.any(String)]);
  return JSON.parse(text) as Channel;
};

const add = async (client: Client, fields: object = {}, account = ACCOUNT): Promise<Channel> => {
  const payload = { url: URL, notificationServiceTypes: ['PAYOUT'], ...fields };
  return channelOf(await ask(client, 'WEBHOOK_CREATE', payload, account));
};

async function list(client: Client, account = ACCOUNT): Promise<Channel[]> {
  const { text } = await ask(client, 'WEBHOOK_LIST', undefined, account);
  return (JSON.parse(text) as { subscriptions: Channel[] }).subscriptions;
}

const trigger = (client: Client, fields: object) =>
  client.admin('POST', '/sandbox/events', { account: ACCOUNT, ...fields });

describe('creating a subscription', () => {
  it('answers with every field of the record', async () => {
    const { client } = await startSandbox();
    const requestId = randomUUID();
    const created = new Date(START_MS).toISOString();
    const channel = await add(client, { requestId, notificationEventTypes: ['INVOICE_PAID'] });
    expect(channel).toEqual({
      requestId,
      notificationEventTypes: [...EVENT_TYPES_OF_GROUP.PAYOUT, 'INVOICE_PAID'],
      url: URL,
      publicKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
      secretKey: expect.stringMatching(/^[0-9a-f]{64}$/),
      createdDate: created,
      enabled: true,
      blockedByErrorCount: false,
      errorCount: 0,
      errorFirstDate: created,
      errorLastDate: created,
    });
    expect(await list(client)).toEqual([channel]);
  });

  it('makes up a requestId that is not given, and keys of its own for each', async () => {
    const { client } = await startSandbox();
    const [one, other] = [await add(client), await add(client)];
    expect(one.requestId).not.toBe(other.requestId);
    expect(one.secretKey).not.toBe(other.secretKey);
    expect(await list(client)).toEqual([one, other]);
  });

  it('with a known requestId answers the same subscription, in any order of types', async () => {
    const { client } = await startSandbox();
    const requestId = randomUUID();
    const types = ['INVOICE_PAID', 'PAYOUT_CONFIRMED'];
    const first = await add(client, { requestId, notificationEventTypes: types });
    const repeated = [...types.toReversed(), ...types];
    const again = { requestId: requestId.toUpperCase(), notificationEventTypes: repeated };
    expect(await add(client, again)).toEqual(first);
    expect(await list(client)).toEqual([first]);
  });

  it('with a known requestId for something else is refused and changes nothing', async () => {
    const { client } = await startSandbox();
    const requestId = randomUUID();
    const first = await add(client, { requestId });
    for (const fields of [{ url: `${URL}/2` }, { notificationServiceTypes: ['SYSTEM'] }]) {
      const payload = { url: URL, notificationServiceTypes: ['PAYOUT'], requestId, ...fields };
      expect(errorCodeOf(await ask(client, 'WEBHOOK_CREATE', payload))).toBe('FIELD_INVALID');
    }
    expect(await list(client)).toEqual([first]);
  });

  it('is durable', async () => {
    const { client, close, folder, clock } = await startSandbox();
    const channel = await add(client);
    await close();
    const restarted = await startSandbox({ folder, clock });
    expect(await list(restarted.client)).toEqual([channel]);
  });

  it('beyond a hundred for one account is refused', async () => {
    const { client } = await startSandbox({ settings: TWO_ACCOUNTS });
    for (let count = 0; count < 100; count += 1) await add(client);
    const payload = { url: URL, notificationServiceTypes: ['PAYOUT'] };
    expect((await ask(client, 'WEBHOOK_CREATE', payload)).status).toBe(400);
    await add(client, {}, OTHER_ACCOUNT);
  });
});

describe('changing a subscription', () => {
  it('replaces the fields of the request and keeps the others', async () => {
    const { client } = await startSandbox();
    const before = await add(client);
    const { requestId } = before;
    const payload = { requestId, url: `${URL}/2`, notificationEventTypes: ['INVOICE_PAID'] };
    const changed = channelOf(await ask(client, 'WEBHOOK_CHANGE', payload));
    const expected = { ...before, url: `${URL}/2`, notificationEventTypes: ['INVOICE_PAID'] };
    expect(changed).toEqual(expected);
    expect(await list(client)).toEqual([expected]);
  });

  it('disables and enables it', async () => {
    const { client } = await startSandbox();
    const { requestId, url } = await add(client);
    for (const enabled of [false, true]) {
      const payload = { requestId, url, notificationServiceTypes: ['PAYOUT'], enabled };
      expect(channelOf(await ask(client, 'WEBHOOK_CHANGE', payload)).enabled).toBe(enabled);
      expect((await list(client))[0]?.enabled).toBe(enabled);
    }
  });

  it('takes effect for the next event', async () => {
    const { client, clock } = await startSandbox();
    const [first, second] = [await startReceiver(), await startReceiver()];
    const { requestId } = await add(client, { url: first.url });
    await trigger(client, { type: 'PAYOUT_CONFIRMED' });
    clock.advance(0);
    await first.count(1);
    const payload = { requestId, url: second.url, notificationEventTypes: ['INVOICE_PAID'] };
    channelOf(await ask(client, 'WEBHOOK_CHANGE', payload));
    await trigger(client, { type: 'PAYOUT_CONFIRMED' });
    await trigger(client, { type: 'INVOICE_PAID' });
    clock.advance(0);
    await second.count(1);
    expect(JSON.parse(second.received[0]?.body ?? '')).toMatchObject({ type: 'INVOICE_PAID' });
    expect(first.received).toHaveLength(1);
  });
});

describe('deleting a subscription', () => {
  it('ends it, together with everything that was queued for it', async () => {
    const sandbox = await startSandbox();
    const { client, clock } = sandbox;
    const receiver = await startReceiver();
    receiver.answer((response) => void response.writeHead(500).end());
    const channel = await add(client, { url: receiver.url });
    for (let count = 0; count < 3; count += 1) await trigger(client, { type: 'PAYOUT_CONFIRMED' });
    clock.advance(0);
    await receiver.count(3);
    const { requestId } = channel;
    const deleted = channelOf(await ask(client, 'WEBHOOK_DELETE', { requestId }));
    expect(deleted.requestId).toBe(requestId);
    expect(await list(client)).toEqual([]);
    expect(await subscriptions(client)).toEqual([]);
    clock.advance(1_000_000);
    await trigger(client, { type: 'PAYOUT_CONFIRMED' });
    clock.advance(1_000_000);
    expect(receiver.received).toHaveLength(3);
    const { text } = await client.get('/sandbox/deliveries');
    expect(JSON.parse(text)).toEqual({ deliveries: [], next: null });
  });

  it('frees its requestId', async () => {
    const { client } = await startSandbox();
    const requestId = randomUUID();
    const first = await add(client, { requestId });
    channelOf(await ask(client, 'WEBHOOK_DELETE', { requestId }));
    expect((await ask(client, 'WEBHOOK_DELETE', { requestId })).status).toBe(404);
    const second = await add(client, { requestId, url: `${URL}/2` });
    expect(second.secretKey).not.toBe(first.secretKey);
  });
});

describe('a subscription of an account', () => {
  it('is seen, changed and deleted by that account alone', async () => {
    const { client } = await startSandbox({ settings: TWO_ACCOUNTS });
    const channel = await add(client);
    const { requestId, url } = channel;
    expect(await list(client, OTHER_ACCOUNT)).toEqual([]);
    const change = { requestId, url, notificationServiceTypes: ['SYSTEM'] };
    for (const [operation, payload] of [
      ['WEBHOOK_CHANGE', change],
      ['WEBHOOK_DELETE', { requestId }],
    ] as const) {
      expect((await ask(client, operation, payload, OTHER_ACCOUNT)).status).toBe(404);
    }
    await add(client, { requestId, url: `${URL}/2` }, OTHER_ACCOUNT);
    expect(await list(client)).toEqual([channel]);
  });

  it('gets the events of that account alone, each once', async () => {
    const sandbox = await startSandbox({ settings: TWO_ACCOUNTS });
    const { client } = sandbox;
    const [mine, theirs] = [await startReceiver(), await startReceiver()];
    const notificationEventTypes = ['PAYOUT_CONFIRMED'];
    await add(client, { url: mine.url, notificationEventTypes });
    await add(client, { url: theirs.url }, OTHER_ACCOUNT);
    await trigger(client, { type: 'PAYOUT_CONFIRMED' });
    await trigger(client, { type: 'PAYOUT_CONFIRMED', account: OTHER_ACCOUNT });
    await trigger(client, { type: 'INVOICE_PAID' });
    await until(sandbox, async () =>
      (await subscriptions(client)).every(({ deliveries }) => deliveries.DELIVERED === 1),
    );
    const accounts = [mine, theirs].map(({ received }) =>
      received.map(({ body }) => (JSON.parse(body) as { account: string }).account),
    );
    expect(accounts).toEqual([[ACCOUNT], [OTHER_ACCOUNT]]);
  });

  it('does not list the subscription of the settings, which gets the events of all', async () => {
    const receiver = await startReceiver();
    const sandbox = await startSandbox({
      settings: { ...TWO_ACCOUNTS, WEBHOOK_URL: receiver.url },
    });
    const { client, clock } = sandbox;
    expect(await list(client)).toEqual([]);
    await trigger(client, { type: 'PAYOUT_CONFIRMED' });
    await trigger(client, { type: 'SYSTEM_NEW_FEATURE', account: OTHER_ACCOUNT });
    clock.advance(0);
    await receiver.count(2);
  });
});

const good = { url: URL, notificationServiceTypes: ['PAYOUT'], requestId: randomUUID() };

describe('the operations refuse', () => {
  it.each<[string, WebhookOperation, unknown, number]>([
    ['no payload', 'WEBHOOK_CREATE', undefined, 400],
    ['no url', 'WEBHOOK_CREATE', { ...good, url: undefined }, 400],
    ['an empty url', 'WEBHOOK_CREATE', { ...good, url: '' }, 400],
    [
      'a url that is too long',
      'WEBHOOK_CREATE',
      { ...good, url: `${URL}/${'a'.repeat(2_000)}` },
      400,
    ],
    [
      'the address of a metadata service',
      'WEBHOOK_CREATE',
      { ...good, url: 'http://169.254.169.254/' },
      400,
    ],
    ['a url with a password', 'WEBHOOK_CREATE', { ...good, url: 'http://a:b@example.com/' }, 400],
    ['another scheme', 'WEBHOOK_CREATE', { ...good, url: 'file:///etc/passwd' }, 400],
    ['neither types nor groups', 'WEBHOOK_CREATE', { url: URL }, 400],
    [
      'empty lists',
      'WEBHOOK_CREATE',
      { url: URL, notificationEventTypes: [], notificationServiceTypes: [] },
      400,
    ],
    ['an unknown type', 'WEBHOOK_CREATE', { ...good, notificationEventTypes: ['PAYOUT'] }, 400],
    ['an unknown group', 'WEBHOOK_CREATE', { ...good, notificationServiceTypes: ['TOP_UP'] }, 400],
    [
      'types as text',
      'WEBHOOK_CREATE',
      { ...good, notificationEventTypes: 'PAYOUT_CONFIRMED' },
      400,
    ],
    [
      'too many types',
      'WEBHOOK_CREATE',
      { ...good, notificationEventTypes: Array(1_001).fill('PAYOUT_CONFIRMED') },
      400,
    ],
    ['a requestId that is no UUID', 'WEBHOOK_CREATE', { ...good, requestId: '1' }, 400],
    ['an undocumented field', 'WEBHOOK_CREATE', { ...good, enabled: true }, 400],
    ['a change without a requestId', 'WEBHOOK_CHANGE', { ...good, requestId: undefined }, 400],
    ['a change of nothing known', 'WEBHOOK_CHANGE', good, 404],
    ['a change to no types', 'WEBHOOK_CHANGE', { url: URL, requestId: good.requestId }, 400],
    ['enabled as text', 'WEBHOOK_CHANGE', { ...good, enabled: 'true' }, 400],
    ['a deletion of nothing known', 'WEBHOOK_DELETE', { requestId: good.requestId }, 404],
    ['a deletion without a requestId', 'WEBHOOK_DELETE', {}, 400],
    ['a deletion by url', 'WEBHOOK_DELETE', { url: URL }, 400],
    ['a list with a payload', 'WEBHOOK_LIST', {}, 400],
  ])('%s', async (_name, operation, payload, status) => {
    const { client } = await startSandbox();
    const reply = await ask(client, operation, payload);
    expect(reply.status).toBe(status);
    expect(Object.keys(JSON.parse(reply.text) as object)).toEqual([
      'traceId',
      'errorCode',
      'message',
    ]);
    expect(await list(client)).toEqual([]);
  });

  it.each(OPERATIONS)(
    '%s for an account that is missing or not the caller’s',
    async (operation) => {
      const { client } = await startSandbox();
      expect((await client.call(operation, { account: undefined })).status).toBe(400);
      const payload = operation === 'WEBHOOK_LIST' ? undefined : good;
      expect((await ask(client, operation, payload, OTHER_ACCOUNT)).status).not.toBe(200);
    },
  );
});

const text = fc.oneof(anyText(), fc.constant('a'.repeat(5_000)));
const hostile = fc.oneof(fc.jsonValue(), text, fc.integer(), fc.constant(null));

async function expectCivil({ status, text: body }: Reply): Promise<void> {
  if (status === 200) return;
  expect([400, 404]).toContain(status);
  expect(Object.keys(JSON.parse(body) as object)).toEqual(['traceId', 'errorCode', 'message']);
}

async function expectUntouched({ client }: Started): Promise<void> {
  expect((await ledger(client)).entries).toEqual([]);
}

it('hostile values in every field are answered civilly, and add no bad address', async () => {
  const sandbox = await startSandbox();
  const { client } = sandbox;
  const fields = [
    'url',
    'requestId',
    'notificationEventTypes',
    'notificationServiceTypes',
    'other',
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...OPERATIONS),
      fc.constantFrom(...fields),
      hostile,
      async (operation, field, value) => {
        const payload = json({
          url: JSON.stringify(URL),
          requestId: JSON.stringify(randomUUID()),
          notificationServiceTypes: '["PAYOUT"]',
          [field]: JSON.stringify(value),
        });
        await expectCivil(await client.call(operation, { payload }));
      },
    ),
    { numRuns: 300 },
  );
  for (const { url } of await list(client)) expect(url).toBe(URL);
  await expectUntouched(sandbox);
});
