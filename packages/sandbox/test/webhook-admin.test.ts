import { describe, expect, it } from '@jest/globals';
import { EVENT_GROUPS } from '@bursar/merchant-api/spec';
import { ACCOUNT, type Client } from './support/client.ts';
import { deliveries, trigger } from './support/deliveries.ts';
import { START_MS } from './support/manual-clock.ts';
import { answerStatus, type Receiver, startReceiver } from './support/receiver.ts';
import { type Started, type StartOptions, startSandbox } from './support/start.ts';
import { subscription, subscriptions } from './support/subscriptions.ts';
import { until } from './support/until.ts';

const TYPE = 'PAYOUT_CONFIRMED';

async function startWithReceiver(
  options: StartOptions = {},
): Promise<{ sandbox: Started; receiver: Receiver }> {
  const receiver = await startReceiver();
  const settings = { WEBHOOK_URL: receiver.url, ...options.settings };
  return { receiver, sandbox: await startSandbox({ ...options, settings }) };
}

const act = (client: Client, name: string, id = 'settings') =>
  client.admin('POST', `/sandbox/webhooks/${name}`, { id });

const untilCounts = (sandbox: Started, counts: object) =>
  until(sandbox, async () => {
    const { deliveries: found } = await subscription(sandbox.client);
    return JSON.stringify(found) === JSON.stringify(counts);
  });

const untilErrors = (sandbox: Started, errorCount: number) =>
  until(sandbox, async () => (await subscription(sandbox.client)).errorCount === errorCount);

/** A subscription that 101 failures have blocked, of which one has had its last retry. */
async function startBlocked(options: StartOptions = {}) {
  const { sandbox, receiver } = await startWithReceiver(options);
  receiver.answer(answerStatus(500));
  await trigger(sandbox.client, TYPE, 101);
  await untilErrors(sandbox, 101);
  return { sandbox, receiver };
}

describe('the deliveries', () => {
  it('are listed with their bodies, every attempt and the next time', async () => {
    const { sandbox, receiver } = await startWithReceiver();
    const { client, clock } = sandbox;
    receiver.answer(answerStatus(503));
    await trigger(client, TYPE);
    await untilErrors(sandbox, 1);
    receiver.answer((response) => void response.destroy());
    clock.advance(30_000);
    await untilErrors(sandbox, 2);
    const { deliveries: found, next } = await deliveries(client);
    expect(next).toBeNull();
    expect(found).toEqual([
      {
        id: 1,
        subscription: 'settings',
        type: TYPE,
        account: ACCOUNT,
        body: receiver.received[0]?.body,
        fault: null,
        status: 'WAITING',
        createdDate: new Date(START_MS).toISOString(),
        nextDate: new Date(START_MS + 60_000).toISOString(),
        attempts: [
          { time: new Date(START_MS).toISOString(), status: 503, reason: null },
          {
            time: new Date(START_MS + 30_000).toISOString(),
            status: null,
            reason: 'socket hang up',
          },
        ],
      },
    ]);
  });

  it('are read page by page, from either end, by subscription and by status', async () => {
    const { sandbox, receiver } = await startWithReceiver();
    const { client } = sandbox;
    const other = await startReceiver();
    other.answer(answerStatus(500));
    await client.admin('POST', '/sandbox/webhooks', { url: other.url });
    await trigger(client, TYPE, 5);
    await until(sandbox, async () => (await subscriptions(client))[1]?.errorCount === 5);
    await until(sandbox, async () => receiver.received.length === 5);
    await untilCounts(sandbox, { DELIVERED: 5 });

    const ids = async (query: string): Promise<number[]> => {
      const all: number[] = [];
      for (let after = ''; ; ) {
        const page = await deliveries(client, `?limit=3${query}${after}`);
        all.push(...page.deliveries.map(({ id }) => id));
        if (page.next === null) return all;
        after = `&after=${page.next}`;
      }
    };
    const everyId = Array.from({ length: 10 }, (_, index) => index + 1);
    expect(await ids('')).toEqual(everyId);
    expect(await ids('&order=newest')).toEqual(everyId.toReversed());
    expect(await ids('&status=DELIVERED')).toEqual([1, 3, 5, 7, 9]);
    expect(await ids('&subscription=settings&order=newest')).toEqual([9, 7, 5, 3, 1]);
    expect(await ids('&subscription=settings&status=WAITING')).toEqual([]);
    expect(await ids('&status=WAITING')).toEqual([2, 4, 6, 8, 10]);
    expect(await ids('&status=HELD')).toEqual([]);
    expect(await ids('&subscription=nothing')).toEqual([]);
  });

  it.each(['?status=OTHER', '?limit=0', '?limit=1001', '?after=x', '?order=up', '?other=1'])(
    'cannot be read with %s',
    async (query) => {
      const { client } = await startSandbox();
      expect((await client.get(`/sandbox/deliveries${query}`)).status).toBe(400);
    },
  );

  it('name the fault that hit them, and which were dropped', async () => {
    const { sandbox } = await startWithReceiver();
    const { client } = sandbox;
    await client.admin('POST', '/sandbox/faults', { target: 'WEBHOOK', kind: 'drop', next: 1 });
    await client.admin('POST', '/sandbox/faults', {
      target: 'WEBHOOK',
      kind: 'late',
      delayMs: 5_000,
      next: 1,
    });
    await trigger(client, TYPE, 2);
    expect((await deliveries(client)).deliveries).toMatchObject([
      { status: 'DROPPED', fault: 'drop', nextDate: null, attempts: [] },
      { status: 'WAITING', fault: 'late', nextDate: new Date(START_MS + 5_000).toISOString() },
    ]);
    sandbox.clock.advance(5_000);
    await untilCounts(sandbox, { DELIVERED: 1, DROPPED: 1 });
  });

  it('are sent again by hand in any status, and then by a new schedule', async () => {
    const { sandbox, receiver } = await startWithReceiver();
    const { client } = sandbox;
    await trigger(client, TYPE);
    await untilCounts(sandbox, { DELIVERED: 1 });
    receiver.answer(answerStatus(500));
    const { status } = await client.admin('POST', '/sandbox/deliveries/resend', { id: 1 });
    expect(status).toBe(200);
    await untilErrors(sandbox, 1);
    const [again] = (await deliveries(client)).deliveries;
    expect(again).toMatchObject({
      status: 'WAITING',
      nextDate: new Date(START_MS + 30_000).toISOString(),
      attempts: [{ status: 200 }, { status: 500 }],
    });
    expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body);
  });

  it.each([200, 500])(
    'are sent again by hand while they are under way, and the first answer %i changes nothing',
    async (first) => {
      const { sandbox, receiver } = await startWithReceiver();
      const { client } = sandbox;
      let answerFirst = (): void => undefined;
      receiver.answer((response) => {
        answerFirst = () => answerStatus(first)(response, { path: '', headers: {}, body: '' });
      });
      await trigger(client, TYPE);
      const untilReceived = (count: number) =>
        until(sandbox, () => Promise.resolve(receiver.received.length === count));
      await untilReceived(1);
      const { status } = await client.admin('POST', '/sandbox/deliveries/resend', { id: 1 });
      expect(status).toBe(200);
      receiver.answer(answerStatus(200));
      answerFirst();
      await untilReceived(2);
      await untilCounts(sandbox, { DELIVERED: 1 });
      const [again] = (await deliveries(client)).deliveries;
      expect(again?.attempts).toMatchObject([{ status: first }, { status: 200 }]);
    },
  );

  it('that do not exist cannot be sent again', async () => {
    const { client } = await startSandbox();
    for (const id of [1, 0, '1', null]) {
      const { status } = await client.admin('POST', '/sandbox/deliveries/resend', { id });
      expect(status).toBe(id === 1 ? 404 : 400);
    }
  });
});

describe('a blocked subscription', () => {
  it('has the time of its first failure and the number of failures', async () => {
    const { sandbox } = await startBlocked();
    expect(await subscription(sandbox.client)).toMatchObject({
      blockedByErrorCount: true,
      enabled: true,
      errorCount: 101,
      errorFirstDate: new Date(START_MS).toISOString(),
      errorLastDate: new Date(START_MS).toISOString(),
      deliveries: { HELD: 101 },
    });
    const { deliveries: held } = await deliveries(sandbox.client, '?status=HELD&limit=1');
    expect(held).toMatchObject([{ status: 'HELD', nextDate: null }]);
  });

  it('gets the failed and held webhooks at once when a person unblocks it', async () => {
    const { sandbox, receiver } = await startBlocked();
    const { client, clock } = sandbox;
    await trigger(client, TYPE, 4);
    clock.advance(200_000_000);
    expect(receiver.received).toHaveLength(101);
    receiver.answer(answerStatus(200));
    expect(JSON.parse((await act(client, 'unblock')).text)).toMatchObject({
      blockedByErrorCount: false,
      errorCount: 0,
      errorFirstDate: null,
      errorLastDate: null,
      deliveries: { WAITING: 105 },
    });
    await untilCounts(sandbox, { DELIVERED: 105 });
    expect(receiver.received).toHaveLength(206);
  });

  it('stays blocked over a restart, and its release goes on after one', async () => {
    const { sandbox, receiver } = await startBlocked();
    await sandbox.close();
    const settings = { WEBHOOK_URL: receiver.url };
    const { folder, clock } = sandbox;
    const second = await startSandbox({ folder, clock, settings });
    expect((await subscription(second.client)).blockedByErrorCount).toBe(true);
    await act(second.client, 'unblock');
    await second.close();
    receiver.answer(answerStatus(200));
    const third = await startSandbox({ folder, clock, settings });
    await untilCounts(third, { DELIVERED: 101 });
  });

  it('is blocked again by as many failures as before, and not by fewer', async () => {
    const { sandbox } = await startBlocked();
    await act(sandbox.client, 'unblock');
    await until(sandbox, async () => {
      const { blockedByErrorCount, errorCount } = await subscription(sandbox.client);
      return blockedByErrorCount && errorCount === 101;
    });
  });

  it('gets the webhooks that it gave up in that period too', async () => {
    const { sandbox, receiver } = await startWithReceiver();
    const { client, clock } = sandbox;
    receiver.answer(answerStatus(500));
    await trigger(client, TYPE);
    await untilErrors(sandbox, 1);
    let [delayS, nextS] = [30, 30];
    for (let retry = 1; retry <= 19; retry += 1) {
      clock.advance(delayS * 1000);
      await untilErrors(sandbox, retry + 1);
      [delayS, nextS] = [nextS, delayS + nextS];
    }
    await untilCounts(sandbox, { GIVEN_UP: 1 });
    await trigger(client, TYPE, 101);
    await until(sandbox, async () => (await subscription(client)).blockedByErrorCount);
    receiver.answer(answerStatus(200));
    await act(client, 'unblock');
    await untilCounts(sandbox, { DELIVERED: 102 });
  });

  it('is not unblocked by a change, nor by a restart', async () => {
    const { sandbox } = await startBlocked();
    await act(sandbox.client, 'disable');
    await act(sandbox.client, 'enable');
    expect(await subscription(sandbox.client)).toMatchObject({
      enabled: true,
      blockedByErrorCount: true,
    });
  });
});

describe('a subscription', () => {
  it('that is disabled gets nothing new, and keeps its waiting webhooks until it is enabled', async () => {
    const { sandbox, receiver } = await startWithReceiver();
    const { client, clock } = sandbox;
    receiver.answer(answerStatus(500));
    await trigger(client, TYPE);
    await untilErrors(sandbox, 1);
    expect(JSON.parse((await act(client, 'disable')).text)).toMatchObject({ enabled: false });
    await trigger(client, TYPE);
    clock.advance(1_000_000);
    expect((await subscription(client)).deliveries).toEqual({ HELD: 1 });
    receiver.answer(answerStatus(200));
    await act(client, 'enable');
    await untilCounts(sandbox, { DELIVERED: 1 });
    expect(receiver.received).toHaveLength(2);
  });

  it('is added for one account, for some types and groups, or for everything', async () => {
    const { client } = await startSandbox();
    const url = 'http://127.0.0.1:8787/hooks';
    const add = async (fields: object) =>
      JSON.parse(
        (await client.admin('POST', '/sandbox/webhooks', { url, ...fields })).text,
      ) as object;
    expect(await add({})).toMatchObject({
      account: null,
      notificationEventTypes: [],
      notificationServiceTypes: EVENT_GROUPS,
      secretKey: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await add({ account: ACCOUNT, notificationEventTypes: [TYPE] })).toMatchObject({
      account: ACCOUNT,
      notificationEventTypes: [TYPE],
      notificationServiceTypes: [],
    });
    const { text } = await client.get('/sandbox/webhooks');
    expect(text).not.toContain('secretKey');
  });

  it.each([
    ['an unknown account', { account: '0x00000000000000000000000000000000000000ff' }],
    ['an unknown type', { notificationEventTypes: ['X'] }],
    ['no types at all', { notificationEventTypes: [] }],
    ['an unknown field', { id: 'settings' }],
  ])('cannot be added with %s', async (_name, fields) => {
    const { client } = await startSandbox();
    const asked = { url: 'http://127.0.0.1:8787/', ...fields };
    expect((await client.admin('POST', '/sandbox/webhooks', asked)).status).toBe(400);
    expect(await subscriptions(client)).toEqual([]);
  });

  it('is deleted, and the one of the settings comes back with the next start', async () => {
    const { sandbox } = await startWithReceiver();
    const { client, folder, clock } = sandbox;
    const remove = () => client.admin('DELETE', '/sandbox/webhooks?id=settings');
    expect((await remove()).status).toBe(200);
    expect(await subscriptions(client)).toEqual([]);
    expect((await remove()).status).toBe(404);
    await sandbox.close();
    const settings = { WEBHOOK_URL: 'http://127.0.0.1:8787/hooks' };
    const restarted = await startSandbox({ folder, clock, settings });
    expect(await subscriptions(restarted.client)).toMatchObject([{ id: 'settings' }]);
  });

  it.each(['enable', 'disable', 'unblock'])('that is unknown cannot %s', async (name) => {
    const { client } = await startSandbox();
    expect((await act(client, name, 'other')).status).toBe(404);
    expect((await client.admin('POST', `/sandbox/webhooks/${name}`, {})).status).toBe(400);
  });

  it('whose receiver never answers holds up no other', async () => {
    const { sandbox, receiver } = await startWithReceiver();
    const { client } = sandbox;
    const slow = await startReceiver();
    slow.answer(() => {});
    await client.admin('POST', '/sandbox/webhooks', { url: slow.url });
    await trigger(client, TYPE, 40);
    await untilCounts(sandbox, { DELIVERED: 40 });
    expect(receiver.received).toHaveLength(40);
    expect(slow.received.length).toBeLessThanOrEqual(16);
  });

  it('shapes and signs its webhooks by the modes', async () => {
    const receiver = await startReceiver();
    const settings = { WEBHOOK_BODY: 'flat', WEBHOOK_SIGNATURE: 'none', WEBHOOK_URL: receiver.url };
    const sandbox = await startSandbox({ settings });
    await trigger(sandbox.client, TYPE);
    await untilCounts(sandbox, { DELIVERED: 1 });
    const [webhook] = receiver.received;
    expect(JSON.parse(webhook?.body ?? '')).toMatchObject({ type: TYPE, state: 'CONFIRMED' });
    expect(Object.keys(webhook?.headers ?? {})).not.toContain('sign');
    expect(Object.keys(webhook?.headers ?? {})).not.toContain('key');
  });
});
