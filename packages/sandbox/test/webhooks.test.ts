import { describe, expect, it } from '@jest/globals';
import { systemClock } from '../src/clock.ts';
import { createPoster } from '../src/webhooks/post.ts';
import { ACCOUNT } from './support/client.ts';
import { create, row } from './support/payouts.ts';
import { answerStatus, type Receiver, startReceiver } from './support/receiver.ts';
import { type Started, type StartOptions, startSandbox, steps } from './support/start.ts';
import { subscription, subscriptions } from './support/subscriptions.ts';
import { until } from './support/until.ts';

/** The steps are so long that the only event is the creation. */
const ONLY_CREATION = { STEP_MS: '999999999999' };

async function startWithReceiver(
  options: StartOptions = {},
): Promise<{ sandbox: Started; receiver: Receiver }> {
  const receiver = await startReceiver();
  const settings = { WEBHOOK_URL: receiver.url, ...options.settings };
  return { receiver, sandbox: await startSandbox({ ...options, settings }) };
}

const deliveredCount = async ({ client }: Started): Promise<number> =>
  (await subscription(client)).deliveries.DELIVERED ?? 0;

const untilErrors = (sandbox: Started, errorCount: number) =>
  until(sandbox, async () => (await subscription(sandbox.client)).errorCount === errorCount);

const statesOf = ({ received }: Receiver): string[] =>
  received.map(({ body }) => (JSON.parse(body) as { data: { state: string } }).data.state);

describe('the webhooks of a mass payout', () => {
  it('announce every state, in order', async () => {
    const { sandbox, receiver } = await startWithReceiver();
    const { id, idempotencyKey } = await create(sandbox.client, [row('1')], {
      externalId: '"b/1/0"',
    });
    for (let count = 1; count <= 4; count += 1) {
      await until(sandbox, async () => (await deliveredCount(sandbox)) === count);
      steps(sandbox.clock, 1);
    }
    expect(statesOf(receiver)).toEqual([
      'CREATION_IN_PROGRESS',
      'CONFIRMED',
      'IN_PROGRESS',
      'COMPLETED',
    ]);
    expect(JSON.parse(receiver.received[3]?.body ?? '')).toEqual({
      type: 'PAYOUT_CHANGE_STATUS',
      account: ACCOUNT,
      data: { id, idempotencyKey, externalId: 'b/1/0', state: 'COMPLETED' },
    });
  });

  it('carry the key of the subscription and a signature', async () => {
    const { sandbox, receiver } = await startWithReceiver({ settings: ONLY_CREATION });
    await create(sandbox.client, [row('1')]);
    await until(sandbox, async () => (await deliveredCount(sandbox)) === 1);
    const { publicKey } = await subscription(sandbox.client);
    expect(receiver.received[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      key: publicKey,
      sign: expect.stringMatching(/^[0-9a-f]{128}$/),
    });
  });

  it('go to every subscription', async () => {
    const { sandbox, receiver } = await startWithReceiver({ settings: ONLY_CREATION });
    const second = await startReceiver();
    await sandbox.client.admin('POST', '/sandbox/webhooks', { url: second.url });
    await create(sandbox.client, [row('1')]);
    sandbox.clock.advance(0);
    await Promise.all([receiver.count(1), second.count(1)]);
    expect(receiver.received[0]?.body).toBe(second.received[0]?.body);
  });

  it('are never more than 16 under way at one time', async () => {
    const { sandbox, receiver } = await startWithReceiver({ settings: ONLY_CREATION });
    const held: (() => void)[] = [];
    receiver.answer((response) => void held.push(() => response.writeHead(200).end()));
    for (let event = 0; event < 40; event += 1) await create(sandbox.client, [row('1')]);
    sandbox.clock.advance(0);
    await receiver.count(16);
    for (let look = 0; look < 20; look += 1) await sandbox.client.get('/sandbox/health');
    expect(receiver.received).toHaveLength(16);
    await until(sandbox, async () => {
      for (const release of held.splice(0)) release();
      return (await deliveredCount(sandbox)) === 40;
    });
    expect(receiver.received).toHaveLength(40);
  });
});

describe('a delivery that fails', () => {
  it('is repeated by the schedule, 19 times, and then given up', async () => {
    const { sandbox, receiver } = await startWithReceiver({ settings: ONLY_CREATION });
    receiver.answer(answerStatus(500));
    await create(sandbox.client, [row('1')]);
    await untilErrors(sandbox, 1);
    let [delayS, nextS] = [30, 30];
    for (let retry = 1; retry <= 19; retry += 1) {
      sandbox.clock.advance(delayS * 1000 - 1);
      expect(receiver.received).toHaveLength(retry);
      sandbox.clock.advance(1);
      await untilErrors(sandbox, retry + 1);
      [delayS, nextS] = [nextS, delayS + nextS];
    }
    expect((await subscription(sandbox.client)).deliveries).toEqual({ GIVEN_UP: 1 });
    sandbox.clock.advance(1_000_000_000);
    expect(receiver.received).toHaveLength(20);
  });

  it('is repeated sooner by the speed', async () => {
    const settings = { ...ONLY_CREATION, SPEED: '100' };
    const { sandbox, receiver } = await startWithReceiver({ settings });
    receiver.answer(answerStatus(500));
    await create(sandbox.client, [row('1')]);
    await untilErrors(sandbox, 1);
    receiver.answer(answerStatus(200));
    sandbox.clock.advance(299);
    expect(receiver.received).toHaveLength(1);
    sandbox.clock.advance(1);
    await until(sandbox, async () => (await deliveredCount(sandbox)) === 1);
  });

  it.each([201, 204, 404, 503])('is one that is answered by %d', async (status) => {
    const { sandbox, receiver } = await startWithReceiver({ settings: ONLY_CREATION });
    receiver.answer(answerStatus(status));
    await create(sandbox.client, [row('1')]);
    await untilErrors(sandbox, 1);
    expect(await deliveredCount(sandbox)).toBe(0);
  });

  it('is one that is redirected, and the redirect is not followed', async () => {
    const { sandbox, receiver } = await startWithReceiver({ settings: ONLY_CREATION });
    const elsewhere = await startReceiver();
    receiver.answer((response) => response.writeHead(307, { location: elsewhere.url }).end());
    await create(sandbox.client, [row('1')]);
    await untilErrors(sandbox, 1);
    expect(elsewhere.received).toHaveLength(0);
  });

  it('is one that is not answered in time', async () => {
    const { sandbox, receiver } = await startWithReceiver({ settings: ONLY_CREATION });
    receiver.answer(() => {});
    await create(sandbox.client, [row('1')]);
    sandbox.clock.advance(0);
    await receiver.count(1);
    sandbox.clock.advance(9_999);
    expect((await subscription(sandbox.client)).errorCount).toBe(0);
    sandbox.clock.advance(1);
    await untilErrors(sandbox, 1);
  });

  it('is one whose connection is closed', async () => {
    const { sandbox, receiver } = await startWithReceiver({ settings: ONLY_CREATION });
    receiver.answer((response) => void response.destroy());
    await create(sandbox.client, [row('1')]);
    await untilErrors(sandbox, 1);
  });

  it('survives a restart', async () => {
    const { sandbox, receiver } = await startWithReceiver({ settings: ONLY_CREATION });
    receiver.answer(answerStatus(500));
    await create(sandbox.client, [row('1')]);
    await untilErrors(sandbox, 1);
    await sandbox.close();
    receiver.answer(answerStatus(200));
    const { folder, clock } = sandbox;
    const settings = { ...ONLY_CREATION, WEBHOOK_URL: receiver.url };
    const restarted = await startSandbox({ folder, clock, settings });
    expect((await subscription(restarted.client)).deliveries).toEqual({ WAITING: 1 });
    clock.advance(30_000);
    await until(restarted, async () => (await deliveredCount(restarted)) === 1);
  });

  it('on its way when the sandbox closes is sent again after the restart', async () => {
    const { sandbox, receiver } = await startWithReceiver({ settings: ONLY_CREATION });
    receiver.answer(() => {});
    await create(sandbox.client, [row('1')]);
    sandbox.clock.advance(0);
    await receiver.count(1);
    await sandbox.close();
    receiver.answer(answerStatus(200));
    const { folder, clock } = sandbox;
    const restarted = await startSandbox({
      folder,
      clock,
      settings: { WEBHOOK_URL: receiver.url },
    });
    await until(restarted, async () => (await deliveredCount(restarted)) >= 1);
    expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body);
  });
});

describe('a subscription', () => {
  it('is blocked by more than 100 failures, and then nothing more is sent', async () => {
    const { sandbox, receiver } = await startWithReceiver({ settings: ONLY_CREATION });
    receiver.answer(answerStatus(500));
    for (let event = 0; event < 100; event += 1) await create(sandbox.client, [row('1')]);
    await untilErrors(sandbox, 100);
    expect((await subscription(sandbox.client)).blockedByErrorCount).toBe(false);
    await create(sandbox.client, [row('1')]);
    await untilErrors(sandbox, 101);
    await create(sandbox.client, [row('1')]);
    sandbox.clock.advance(1_000_000);
    expect(await subscription(sandbox.client)).toMatchObject({
      blockedByErrorCount: true,
      deliveries: { HELD: 102 },
    });
    expect(receiver.received).toHaveLength(101);
  });

  it('from the settings stays the same over restarts, and follows the settings', async () => {
    const { sandbox, receiver } = await startWithReceiver();
    const before = await subscription(sandbox.client);
    await sandbox.close();
    const { folder, clock } = sandbox;
    const moved = `${receiver.url}/moved`;
    const second = await startSandbox({ folder, clock, settings: { WEBHOOK_URL: moved } });
    expect(await subscriptions(second.client)).toEqual([{ ...before, url: moved }]);
    await second.close();
    const third = await startSandbox({ folder, clock });
    expect(await subscriptions(third.client)).toMatchObject([{ enabled: false }]);
    await create(third.client, [row('1')]);
    expect((await subscription(third.client)).deliveries).toEqual({});
  });

  it.each(['ftp://example.com', 'http://169.254.169.254/', 'nothing'])(
    'cannot have the address %s',
    async (url) => {
      const { client } = await startSandbox();
      const { status } = await client.admin('POST', '/sandbox/webhooks', { url });
      expect(status).toBe(400);
      expect(await subscriptions(client)).toEqual([]);
    },
  );
});

describe('a name that stands for this computer', () => {
  it.each([
    [true, 200],
    [false, null],
  ])('is resolved and used when private networks are allowed: %s', async (allowed, status) => {
    const receiver = await startReceiver();
    const url = receiver.url.replace('127.0.0.1', 'localhost');
    const post = createPoster({ clock: systemClock, allowPrivate: allowed });
    expect(await post({ url, headers: {}, body: '{}' }).answer).toMatchObject({ status });
    expect(receiver.received).toHaveLength(allowed ? 1 : 0);
  });
});
