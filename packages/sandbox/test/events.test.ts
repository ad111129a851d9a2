import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type JsonData, overrideData } from '../src/core/data-overrides.ts';
import { Refused } from '../src/core/refusals.ts';
import { createFeed } from '../src/webhooks/feed.ts';
import { EVENT_TYPES } from '@bursar/merchant-api/spec';
import { ACCOUNT, type Client, errorCodeOf, post } from './support/client.ts';
import { deliveries, trigger } from './support/deliveries.ts';
import { START_MS } from './support/manual-clock.ts';
import { create, ledger, row } from './support/payouts.ts';
import { startReceiver } from './support/receiver.ts';
import { type Started, startSandbox } from './support/start.ts';
import { watch } from './support/watch.ts';

type EventJson = Readonly<{
  n: number;
  time: string;
  type: string;
  account: string;
  data: Readonly<Record<string, unknown>>;
}>;

async function events(client: Client, query = '') {
  const { text } = await client.get(`/sandbox/events${query}`);
  return JSON.parse(text) as { events: EventJson[]; next: number | null };
}

const send = (client: Client, fields: object) => client.admin('POST', '/sandbox/events', fields);

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

describe('POST /sandbox/events', () => {
  it('announces an event of every type with plausible data', async () => {
    const receiver = await startReceiver();
    const { client, clock } = await startSandbox({ settings: { WEBHOOK_URL: receiver.url } });
    for (const [index, type] of EVENT_TYPES.entries()) {
      const { status, text } = await send(client, { type });
      const { data, ...rest } = JSON.parse(text) as { data: Record<string, unknown> };
      expect([status, rest]).toEqual([
        200,
        { type, account: ACCOUNT, group: expect.any(String), subscriptions: 1 },
      ]);
      expect([typeof data['id'], data['state']]).toEqual([
        'string',
        expect.stringMatching(/^[A-Z_]+$/),
      ]);
      clock.advance(0);
      await receiver.count(index + 1);
      const body: unknown = JSON.parse(receiver.received[index]?.body ?? '');
      expect(body).toEqual({ type, account: ACCOUNT, data });
    }
  });

  it('sends the data that it is given, with values put in by their paths', async () => {
    const { client } = await startSandbox();
    const { text } = await send(client, {
      type: 'INVOICE_PAID',
      data: { id: 'a', list: [{ b: 1 }] },
      overrides: { id: 'c', 'list.0.b': '2.5', 'deep.er.still': null },
    });
    expect(JSON.parse(text)).toMatchObject({
      data: { id: 'c', list: [{ b: '2.5' }], deep: { er: { still: null } } },
      subscriptions: 0,
    });
  });

  it('changes nothing else', async () => {
    const { client, clock } = await startSandbox();
    await trigger(client, 'PAYOUT_CHANGE_STATUS');
    clock.advance(1_000_000);
    expect((await ledger(client)).entries).toEqual([]);
    expect((await client.get('/sandbox/payouts')).text).toBe('');
  });

  it.each([
    ['no type', {}],
    ['an unknown type', { type: 'PAYOUT' }],
    ['an unknown account', { type: 'INVOICE_PAID', account: '0x00' }],
    ['data that is no object', { type: 'INVOICE_PAID', data: [] }],
    ['data that is too long', { type: 'INVOICE_PAID', data: { a: 'a'.repeat(17_000) } }],
    ['data that is nested too deeply', { type: 'INVOICE_PAID', data: { a: nested(25) } }],
    ['a value that is nested too deeply', { type: 'INVOICE_PAID', overrides: { a: nested(25) } }],
    ['a path into the language', { type: 'INVOICE_PAID', overrides: { '__proto__.a': 1 } }],
    ['an empty path', { type: 'INVOICE_PAID', overrides: { '': 1 } }],
    [
      'a path that is too deep',
      { type: 'INVOICE_PAID', overrides: { 'a.a.a.a.a.a.a.a.a.a.a': 1 } },
    ],
    ['an unknown field', { type: 'INVOICE_PAID', other: 1 }],
  ])('refuses %s', async (_name, fields) => {
    const { client } = await startSandbox();
    expect((await send(client, fields)).status).toBe(400);
    expect((await events(client)).events).toEqual([]);
  });
});

it('data that is nested a hundred thousand times is refused civilly', async () => {
  const { url } = await startSandbox();
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const reply = await post(`${url}/sandbox/events`, `{"type":"INVOICE_PAID","data":{"a":${deep}}}`);
  expect([reply.status, errorCodeOf(reply)]).toEqual([400, 'FIELD_INVALID']);
});

describe('putting values into data', () => {
  const at = (path: string, data: JsonData = {}): JsonData => overrideData(data, { [path]: 'v' });

  it('replaces a value that is in the way of a path', () => {
    expect(at('a.b', { a: 1, c: 2 })).toEqual({ a: { b: 'v' }, c: 2 });
    expect(at('a.b', { a: null })).toEqual({ a: { b: 'v' } });
  });

  it('replaces in lists and adds one place at their end, and no further', () => {
    expect(at('a.1', { a: [1, 2] })).toEqual({ a: [1, 'v'] });
    expect(at('a.2', { a: [1, 2] })).toEqual({ a: [1, 2, 'v'] });
    for (const path of ['a.3', 'a.x', 'a.length', 'a.-1']) {
      expect(() => at(path, { a: [1, 2] })).toThrow(Refused);
    }
  });

  it('leaves the data that it was given as it was', () => {
    const data = { a: { b: 1 } };
    at('a.b', data);
    expect(data).toEqual({ a: { b: 1 } });
  });

  it('never changes JavaScript objects, with any path', () => {
    const name = fc.oneof(
      fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'a', '0', ''),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), fc.object(), (names, data) => {
        try {
          overrideData(data, { [names.join('.')]: 'polluted' });
        } catch (error) {
          expect(error).toBeInstanceOf(Refused);
        }
        expect(
          JSON.stringify([{}, [], Object.getOwnPropertyNames(Object.prototype)]),
        ).not.toContain('polluted');
        expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(12);
      }),
    );
  });
});

describe('GET /sandbox/events', () => {
  it('lists the events without any subscription, page by page', async () => {
    const { client, clock } = await startSandbox();
    const { id } = await create(client, [row('1')]);
    clock.advance(10_000);
    await trigger(client, 'INVOICE_PAID');
    const first = await events(client, '?limit=3');
    const second = await events(client, `?limit=3&after=${first.next}`);
    const all = [...first.events, ...second.events];
    expect(all.map(({ type, data }) => [type, data['state']])).toEqual([
      ['PAYOUT_CHANGE_STATUS', 'CREATION_IN_PROGRESS'],
      ['PAYOUT_CHANGE_STATUS', 'CONFIRMED'],
      ['PAYOUT_CHANGE_STATUS', 'IN_PROGRESS'],
      ['PAYOUT_CHANGE_STATUS', 'COMPLETED'],
      ['INVOICE_PAID', 'PAID'],
    ]);
    expect(all[0]).toMatchObject({ time: new Date(START_MS).toISOString(), data: { id } });
    expect(second.next).toBeNull();
    expect((await deliveries(client)).deliveries).toEqual([]);
  });

  it('contains events that the fault drop keeps from subscriptions', async () => {
    const { client } = await startSandbox({ settings: { WEBHOOK_URL: 'http://127.0.0.1:8787/' } });
    await client.admin('POST', '/sandbox/faults', { target: 'WEBHOOK', kind: 'drop' });
    await trigger(client, 'INVOICE_PAID');
    expect((await events(client)).events).toHaveLength(1);
  });

  it('forgets the oldest of very many', () => {
    const feed = createFeed({ nowMs: () => 5, afterCommit: (work) => work() });
    const event = { type: 'INVOICE_PAID', account: ACCOUNT } as const;
    expect([feed.lastN(), feed.after(0, 10)]).toEqual([0, []]);
    for (let index = 0; index < 10_003; index += 1) feed.publish({ ...event, data: { index } });
    const kept = feed.after(0, 20_000);
    expect(kept.map(({ event: { data } }) => data['index'])).toEqual(
      Array.from({ length: 10_000 }, (_, index) => index + 3),
    );
    expect(kept.map(({ n }) => n)).toEqual(
      Array.from({ length: 10_000 }, (_, index) => 5_003 + index),
    );
    expect(feed.after(feed.lastN() - 2, 10)).toEqual(kept.slice(-2));
    expect(feed.after(feed.lastN(), 10)).toEqual([]);
  });

  it('has numbers that grow over restarts', async () => {
    const before = await startSandbox();
    const first = await lastEvent(before.client);
    await before.close();
    before.clock.advance(1_000);
    const { client } = await startSandbox({ folder: before.folder, clock: before.clock });
    expect((await lastEvent(client)).n).toBeGreaterThan(first.n);
  });
});

async function lastEvent(client: Client): Promise<EventJson> {
  await trigger(client, 'INVOICE_PAID');
  const last = (await events(client)).events.at(-1);
  if (last === undefined) throw new Error('There is no event.');
  return last;
}

it('GET /sandbox/events/types returns every type with its group and its data', async () => {
  const { client } = await startSandbox();
  const { text } = await client.get('/sandbox/events/types');
  const { types } = JSON.parse(text) as { types: { type: string; group: string; data: object }[] };
  expect(types.map(({ type }) => type)).toEqual(EVENT_TYPES);
  expect(types[0]).toMatchObject({ group: 'PAYOUT', data: { state: 'COMPLETED' } });
});

const streamOf = ({ url }: Started, query = '', headers = {}) =>
  watch(`${url}/sandbox/events/stream${query}`, headers);

describe('GET /sandbox/events/stream', () => {
  it('sends each event as it happens, to all who watch', async () => {
    const sandbox = await startSandbox();
    const [one, other] = [await streamOf(sandbox), await streamOf(sandbox)];
    await trigger(sandbox.client, 'INVOICE_PAID');
    await trigger(sandbox.client, 'SYSTEM_SERVICE_WORK');
    const [seen, seenByOther] = [await one.messages(2), await other.messages(2)];
    expect(seenByOther).toEqual(seen);
    expect(seen.map(({ event }) => event)).toEqual(['INVOICE_PAID', 'SYSTEM_SERVICE_WORK']);
    const listed = (await events(sandbox.client)).events;
    expect(seen.map(({ data }) => JSON.parse(data) as unknown)).toEqual(listed);
    expect(seen.map(({ id }) => id)).toEqual(listed.map(({ n }) => String(n)));
  });

  it('goes on where a watcher was, and begins with now for a new one', async () => {
    const sandbox = await startSandbox();
    const { client } = sandbox;
    const before = await lastEvent(client);
    await trigger(client, 'PAYOUT_CONFIRMED', 2);
    const [byHeader, byQuery, fresh] = [
      await streamOf(sandbox, '', { 'Last-Event-ID': String(before.n) }),
      await streamOf(sandbox, `?after=${before.n}`),
      await streamOf(sandbox),
    ];
    await trigger(client, 'SYSTEM_NEW_FEATURE');
    const types = async (watcher: typeof fresh, count: number) =>
      (await watcher.messages(count)).map(({ event }) => event);
    const missed = ['PAYOUT_CONFIRMED', 'PAYOUT_CONFIRMED', 'SYSTEM_NEW_FEATURE'];
    expect(await types(byHeader, 3)).toEqual(missed);
    expect(await types(byQuery, 3)).toEqual(missed);
    expect(await types(fresh, 1)).toEqual(['SYSTEM_NEW_FEATURE']);
  });

  it('sends more than a connection holds at one time, and loses nothing', async () => {
    const sandbox = await startSandbox();
    const { client } = sandbox;
    const sendOne = (index: number) =>
      send(client, { type: 'INVOICE_PAID', data: { index, padding: 'x'.repeat(16_000) } });
    for (let index = 0; index < 500; index += 1) await sendOne(index);
    const watcher = await streamOf(sandbox, '?after=0');
    await sendOne(500);
    const seen = await watcher.messages(501);
    expect(
      seen.map(({ data }) => (JSON.parse(data) as { data: { index: number } }).data.index),
    ).toEqual(Array.from({ length: 501 }, (_, index) => index));
  });

  it('sends a pulse while nothing happens', async () => {
    const sandbox = await startSandbox();
    const watcher = await streamOf(sandbox);
    sandbox.clock.advance(15_000);
    sandbox.clock.advance(15_000);
    await watcher.text((text) => text.split(': pulse\n\n').length === 3);
  });

  it('does not keep the sandbox from closing', async () => {
    const sandbox = await startSandbox();
    const watcher = await streamOf(sandbox);
    await sandbox.close();
    await watcher.ended;
  });

  it.each(['?after=x', '?after=-1', '?other=1'])('refuses %s', async (query) => {
    const { client } = await startSandbox();
    expect((await client.get(`/sandbox/events/stream${query}`)).status).toBe(400);
  });

  it('takes no more than a hundred watchers, and another when one has gone', async () => {
    const sandbox = await startSandbox();
    const watchers = await Promise.all(Array.from({ length: 100 }, () => streamOf(sandbox)));
    const { client } = sandbox;
    expect((await client.get('/sandbox/events/stream')).status).toBe(429);
    watchers[0]?.close();
    for (let tries = 0; tries < 1_000; tries += 1) {
      const next = await streamOf(sandbox).catch(() => null);
      if (next !== null) return;
    }
    throw new Error('No place became free.');
  });
});
