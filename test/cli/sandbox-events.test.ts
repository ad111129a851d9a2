import { describe, expect, it } from '@jest/globals';
import { EVENT_TYPES } from '@bursar/merchant-api/spec';
import { ACCOUNT } from '../../packages/sandbox/test/support/client.ts';
import { trigger } from '../../packages/sandbox/test/support/deliveries.ts';
import { createManualClock } from '../../packages/sandbox/test/support/manual-clock.ts';
import { answerStatus, startReceiver } from '../../packages/sandbox/test/support/receiver.ts';
import { type Started, startSandbox } from '../../packages/sandbox/test/support/start.ts';
import { until } from '../../packages/sandbox/test/support/until.ts';
import { type SandboxWorld, sandboxWorld } from './support/sandbox-world.ts';

const aTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('bursar sandbox trigger', () => {
  it('announces an event with overridden data', async () => {
    const { json } = await sandboxWorld();
    const overrides = ['state=PARTIAL', 'errors.withdrawalErrors=[]', 'amount=10.50', 'paid=true'];
    const flags = overrides.flatMap((pair) => ['--override', pair]);
    const { code, value } = await json('trigger', 'payout_change_status', ...flags);
    expect(code).toBe(0);
    expect(value).toMatchObject({
      schema: 'bursar.sandbox-event/v1',
      type: 'PAYOUT_CHANGE_STATUS',
      group: 'PAYOUT',
      account: ACCOUNT,
      subscriptions: 0,
      data: { state: 'PARTIAL', errors: { withdrawalErrors: [] }, amount: '10.50', paid: true },
    });
  });

  it('lists every type without an event', async () => {
    const { json } = await sandboxWorld();
    const types = (await json('trigger')).value['types'] as { type: string }[];
    expect(types.map(({ type }) => type)).toEqual([...EVENT_TYPES]);
  });

  it.each<{ args: string[]; says: string }>`
    args                                                        | says
    ${['PAYOUT_CHANGED_STATUS']}                                | ${'did you mean PAYOUT_CHANGE_STATUS?'}
    ${['NOTHING_LIKE_IT']}                                      | ${'"bursar sandbox trigger" lists them'}
    ${['PAYOUT_CONFIRMED', '--override', 'state']}              | ${'has not the form name=value'}
    ${['PAYOUT_CONFIRMED', '--override', 'a={']}                | ${'it cannot be read as JSON'}
    ${['PAYOUT_CONFIRMED', '--override', '=a']}                 | ${'has not the form name=value'}
    ${['PAYOUT_CONFIRMED', '--account', 'nobody']}              | ${'account: is unknown'}
    ${['PAYOUT_CONFIRMED', '--override=a=1', '--override=a=2']} | ${'twice'}
    ${['--override', 'a=b']}                                    | ${'it is missing'}
  `('refuses $args', async ({ args, says }) => {
    const { json } = await sandboxWorld();
    const { code, value } = await json('trigger', ...args);
    expect([code, value['what']]).toEqual([2, expect.stringContaining(says)]);
  });
});

describe('bursar sandbox listen', () => {
  it('posts the wanted events, prints one line for each, and ends with 130', async () => {
    const receiver = await startReceiver();
    const { begin, client } = await sandboxWorld();
    const events = ['--events', 'payout_confirmed,PAYOUT_CHANGE_STATUS'];
    const running = begin('listen', '--forward-to', receiver.url, ...events);
    await running.wrote('Forwarding');
    receiver.answer(answerStatus(503));
    await trigger(client, 'PAYOUT_CONFIRMED');
    await running.wrote('-> 503');
    receiver.answer(answerStatus(200));
    await trigger(client, 'INVOICE_EXPIRED');
    await trigger(client, 'PAYOUT_CHANGE_STATUS');
    await running.wrote('-> 200');
    const { code, out, err } = await running.interrupt();
    expect(code).toBe(130);
    expect(err).toMatch(
      /^Forwarding the events of \S+ to \S+\. Ctrl-C ends it\.\nInterrupted\.\n$/,
    );
    expect(out).toMatch(
      /^.* UTC {2}PAYOUT_CONFIRMED CONFIRMED \S+ -> 503\n.* PAYOUT_CHANGE_STATUS COMPLETED \S+ -> 200\n$/,
    );
    expect(receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([
      { type: 'PAYOUT_CONFIRMED', account: ACCOUNT, data: { state: 'CONFIRMED' } },
      { type: 'PAYOUT_CHANGE_STATUS' },
    ]);
    expect(receiver.received[0]?.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(receiver.received[0]?.headers).not.toHaveProperty('sign');
  });

  it('goes on when the receiver does not answer, and does not follow it elsewhere', async () => {
    const receiver = await startReceiver();
    const { begin, client } = await sandboxWorld();
    const running = begin('listen', '--forward-to', receiver.url, '-o', 'jsonl');
    await running.wrote('Forwarding');
    receiver.answer((response) => void response.destroy());
    await trigger(client, 'PAYOUT_CONFIRMED');
    await running.wrote('"status":null');
    receiver.answer(
      (response) => void response.writeHead(302, { Location: receiver.url }).end('moved'),
    );
    await trigger(client, 'PAYOUT_CONFIRMED');
    await running.wrote('"status":302');
    const { out } = await running.interrupt();
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([
      { schema: 'bursar.sandbox-forward/v1', answer: { status: null, reason: 'UND_ERR_SOCKET' } },
      { type: 'PAYOUT_CONFIRMED', answer: { status: 302, reason: null } },
    ]);
    expect(receiver.received).toHaveLength(2);
  });

  it('only shows events without an address', async () => {
    const { begin, client } = await sandboxWorld();
    const running = begin('listen', '--print-json');
    await running.wrote('Showing');
    await trigger(client, 'PAYOUT_CONFIRMED');
    await running.wrote(' UTC  PAYOUT_CONFIRMED');
    const [json = '', line] = (await running.interrupt()).out.split('\n');
    expect(JSON.parse(json)).toMatchObject({ type: 'PAYOUT_CONFIRMED', account: ACCOUNT });
    expect(line).not.toContain('->');
  });

  it('comes back after a restart and misses nothing of the new life', async () => {
    const clock = createManualClock();
    let first: SandboxWorld | undefined;
    let second: Started | undefined;
    const restart = async (): Promise<void> => {
      if (first === undefined || second !== undefined) return aTurn();
      const { url, folder } = first;
      clock.advance(1_000);
      second = await startSandbox({ clock, folder, settings: { LISTEN: new URL(url).host } });
      await trigger(second.client, 'PAYOUT_CONFIRMED');
    };
    first = await sandboxWorld({ clock, onPause: restart });
    await trigger(first.client, 'INVOICE_EXPIRED');
    const running = first.begin('listen');
    await running.wrote('Showing');
    await first.close();
    await until({ ...first, client: { ...first.client, get: noGet } }, async () =>
      Promise.resolve(second !== undefined),
    );
    await running.wrote('PAYOUT_CONFIRMED');
    const { out, err } = await running.interrupt();
    expect(err).toMatch(/does not answer\. Trying again until it does\.\nThe sandbox is back\.\n/);
    expect(out).not.toContain('INVOICE_EXPIRED');
    expect(out.trimEnd().split('\n')).toHaveLength(1);
  });

  it.each([
    ['--events', 'PAYOUT'],
    ['--forward-to', 'ftp://127.0.0.1/'],
    ['-o', 'json'],
  ])('refuses %s %s', async (...args) => {
    const { run } = await sandboxWorld();
    expect((await run('listen', ...args)).code).toBe(2);
  });
});

/** A sandbox that is away is not asked. */
const noGet = async () => {
  await aTurn();
  return { status: 0, headers: new Headers(), text: '' };
};

describe('bursar sandbox webhooks and deliveries', () => {
  it('lists, disables and enables subscriptions', async () => {
    const receiver = await startReceiver();
    const { json, run, client } = await sandboxWorld({ settings: { WEBHOOK_URL: receiver.url } });
    const listed = await json('webhooks');
    expect(listed.value).toMatchObject({
      schema: 'bursar.sandbox-webhooks/v1',
      subscriptions: [{ id: 'settings', url: receiver.url, enabled: true, account: null }],
    });
    expect(JSON.stringify(listed.value)).not.toContain('secretKey');
    expect((await run('webhooks', 'disable', 'settings')).out).toContain('settings: disabled');
    await trigger(client, 'PAYOUT_CONFIRMED');
    expect((await run('webhooks', 'list')).out).toMatch(/settings +disabled/);
    expect((await json('webhooks', 'enable', 'settings')).value).toMatchObject({
      schema: 'bursar.sandbox-webhook/v1',
      enabled: true,
    });
    expect(receiver.received).toEqual([]);
    expect((await json('webhooks', 'unblock', 'nobody')).code).toBe(5);
  });

  it('unblocks a subscription', async () => {
    const receiver = await startReceiver();
    receiver.answer(answerStatus(500));
    const started = await sandboxWorld({ settings: { WEBHOOK_URL: receiver.url } });
    const { run, client } = started;
    await trigger(client, 'PAYOUT_CONFIRMED', 101);
    await until(started, async () => (await run('webhooks')).out.includes('blocked'));
    receiver.answer(answerStatus(200));
    expect((await run('webhooks', 'unblock', 'settings')).out).toContain('settings: enabled');
  });

  it('lists deliveries, and follows them to their end', async () => {
    const receiver = await startReceiver();
    receiver.answer(answerStatus(500));
    const started = await sandboxWorld({ settings: { WEBHOOK_URL: receiver.url }, onPause: aTurn });
    const { begin, json, client, clock } = started;
    const running = begin('deliveries', '--follow', '-o', 'jsonl');
    await trigger(client, 'PAYOUT_CONFIRMED');
    await running.wrote('"status":500');
    receiver.answer(answerStatus(200));
    clock.advance(30_000);
    await running.wrote('"DELIVERED"');
    const { code, out } = await running.interrupt();
    expect(code).toBe(130);
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines.at(-1)).toMatchObject({ schema: 'bursar.sandbox-delivery/v1', id: 1 });
    expect(new Set(lines.map((line) => JSON.stringify(line))).size).toBe(lines.length);
    expect((await json('deliveries', '--status', 'delivered')).value).toMatchObject({
      deliveries: [{ id: 1, attempts: [{ status: 500 }, { status: 200 }] }],
    });
  });

  it('sends one webhook again, and lists the valid types', async () => {
    const receiver = await startReceiver();
    const started = await sandboxWorld({ settings: { WEBHOOK_URL: receiver.url } });
    const { json, run } = started;
    const delivered = (count: number) =>
      until(started, async () => {
        const { value } = await json('deliveries', '--status', 'DELIVERED');
        return JSON.stringify(value).match(/"status":200/g)?.length === count;
      });
    await trigger(started.client, 'PAYOUT_CONFIRMED');
    await delivered(1);
    expect((await json('deliveries', 'resend', '1')).value).toMatchObject({
      schema: 'bursar.sandbox-delivery/v1',
      id: 1,
      type: 'PAYOUT_CONFIRMED',
    });
    await delivered(2);
    expect((await run('deliveries', 'resend', '1')).out).toContain('Webhook 1: ');
    expect((await json('deliveries', 'resend', '2')).value['code']).toBe('SANDBOX_NOTHING');
    expect((await json('deliveries', 'resend', 'all')).value['code']).toBe('FLAG_INVALID');
  });

  it('lists the latest deliveries last', async () => {
    const receiver = await startReceiver();
    const { json, client } = await sandboxWorld({ settings: { WEBHOOK_URL: receiver.url } });
    await trigger(client, 'PAYOUT_CONFIRMED', 5);
    const { value } = await json('deliveries', '--tail', '2');
    expect(value['deliveries']).toMatchObject([{ id: 4 }, { id: 5 }]);
  });
});
