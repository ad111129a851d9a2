import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MerchantApiError } from '@bursar/merchant-api';
import { failureOf, noting, openClient, openServer } from './support/fixtures.ts';
import { SUBSCRIPTION } from './support/operation-cases.ts';
import { answerBytes, answering } from './support/raw-server.ts';

const SECRET_KEY = SUBSCRIPTION.secretKey;

/** Every way in which a value is likely to end up in a log, a history or a report. */
const printed = (value: unknown): string =>
  [
    JSON.stringify(value),
    inspect(value, { depth: null, showHidden: true, getters: true }),
    value instanceof Error ? `${value.stack}${inspect(value.cause)}` : String(value),
  ].join('\n');

const listOf = (...subscriptions: object[]): string => JSON.stringify({ subscriptions });

async function listed(body: string) {
  const server = await openServer({ onRequest: answering({ body }) });
  return (await openClient(server.url).listWebhookSubscriptions()).value;
}

describe('the secret key of a subscription', () => {
  it('is given to those who ask for it', async () => {
    const [subscription] = (await listed(listOf(SUBSCRIPTION))).subscriptions;
    expect(subscription?.secretKey?.reveal()).toBe(SECRET_KEY);
  });

  it('is not printed by accident', async () => {
    const { subscriptions } = await listed(listOf(SUBSCRIPTION, SUBSCRIPTION));
    const [first] = subscriptions;
    const copies = [subscriptions, { ...first }, { ...first?.secretKey }, String(first?.secretKey)];
    for (const copy of copies) expect(printed(copy)).not.toContain(SECRET_KEY);
    expect(JSON.stringify(first)).toContain('"secretKey":"[secret]"');
    expect(inspect(first)).toContain('secretKey: [secret]');
  });

  it.each<[string, object]>([
    ['a field of another type', { ...SUBSCRIPTION, enabled: 'yes' }],
    ['a field that is missing', { ...SUBSCRIPTION, url: undefined }],
    ['a secret key of another type', { ...SUBSCRIPTION, secretKey: [SECRET_KEY] }],
    [
      'its place and another one changed',
      { ...SUBSCRIPTION, requestId: { secretKey: SECRET_KEY } },
    ],
  ])('is in no unreadable part about %s', async (_what, subscription) => {
    const list = await listed(listOf(subscription));
    expect(list.unreadableParts).toHaveLength(1);
    expect(printed(list)).not.toContain(SECRET_KEY);
  });

  it('is in no error and no note, wherever the answer repeats it', async () => {
    let reply = { status: 200, body: '' };
    const notes: unknown[] = [];
    const server = await openServer({ onRequest: (socket) => socket.write(answerBytes(reply)) });
    const client = openClient(server.url, { onRequest: noting(notes) });
    const text = fc.string().map((around) => `${around}${SECRET_KEY}${around}`);
    const body = fc.record({
      subscriptions: fc.constantFrom<unknown[]>([SUBSCRIPTION], [{ ...SUBSCRIPTION, url: 1 }], [1]),
      traceId: fc.option(text),
      errorCode: fc.option(text),
      message: fc.option(text),
      [SECRET_KEY]: fc.jsonValue(),
      more: fc.constant({ secretKey: SECRET_KEY }),
    });
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom(200, 400, 500), async (json, status) => {
        reply = { status, body: JSON.stringify(json) };
        const outcome = await client
          .createWebhookSubscription({
            url: 'https://h.example',
            notificationServiceTypes: ['WALLET'],
          })
          .catch((error: unknown) => error);
        const outcomes = [
          outcome,
          await client.listWebhookSubscriptions().catch((error: unknown) => error),
        ];
        const copies = outcomes.map((one) => (one instanceof Error ? one : { ...(one as object) }));
        expect(printed([copies, notes.splice(0)])).not.toContain(SECRET_KEY);
        expect(inspect(outcomes, { depth: null, showHidden: true })).not.toContain(SECRET_KEY);
      }),
    );
  });

  it('would be found by the test above: it is really there', async () => {
    const body = JSON.stringify({ traceId: SECRET_KEY, errorCode: 'NO', message: SECRET_KEY });
    const server = await openServer({ onRequest: answering({ status: 400, body }) });
    const error = await failureOf(openClient(server.url).listWebhookSubscriptions());
    expect(error).toBeInstanceOf(MerchantApiError);
    expect(printed(error)).toContain(SECRET_KEY);
  });
});

describe('a list of subscriptions', () => {
  it('may be empty', async () => {
    expect(await listed(listOf())).toEqual({ subscriptions: [], unreadableParts: [] });
  });

  it.each([null, undefined, SUBSCRIPTION.createdDate])(
    'may hold one that never failed, with the dates %j',
    async (date) => {
      const dates = { errorFirstDate: date, errorLastDate: date };
      const healthy = { ...SUBSCRIPTION, errorCount: 0, ...dates };
      const [subscription] = (await listed(listOf(healthy))).subscriptions;
      expect(subscription).toMatchObject({ errorCount: 0, enabled: true });
      expect(subscription).not.toHaveProperty('errorFirstDate');
      expect(subscription).not.toHaveProperty('errorLastDate');
    },
  );

  it.each(['1e400', '9007199254740993', '"many"', '0.5'])(
    'lacks the subscription of which %s deliveries failed, and has the others',
    async (count) => {
      const odd = listOf(SUBSCRIPTION).replace('"errorCount":2', `"errorCount":${count}`);
      const body = odd.replace(']}', `,${JSON.stringify(SUBSCRIPTION)}]}`);
      const { subscriptions, unreadableParts } = await listed(body);
      expect(subscriptions).toHaveLength(1);
      expect(unreadableParts).toEqual([
        {
          path: 'subscriptions.0.errorCount',
          problem: 'is missing or has another type',
        },
      ]);
    },
  );
});

describe('what create, change and delete answer', () => {
  it('is kept as far as it is a subscription', async () => {
    const body = JSON.stringify({
      data: { requestId: 7, publicKey: 'pub-2', secretKey: 's-2', errorCount: 'x', other: 's-3' },
    });
    const server = await openServer({ onRequest: answering({ body }) });
    const { value } = await openClient(server.url).deleteWebhookSubscription({
      requestId: SUBSCRIPTION.requestId,
    });
    expect(Object.keys(value)).toEqual(['publicKey', 'secretKey']);
    expect(value.secretKey?.reveal()).toBe('s-2');
  });
});
