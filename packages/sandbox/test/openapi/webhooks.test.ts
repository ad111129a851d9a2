import { expect, it } from '@jest/globals';
import { testAddress } from '../../src/test-addresses.ts';
import { EVENT_TYPES, type EventType } from '@bursar/merchant-api/spec';
import { deliveries, trigger } from '../support/deliveries.ts';
import { create, row } from '../support/payouts.ts';
import { startSandbox, steps } from '../support/start.ts';
import { checkClosed } from './support/check.ts';
import { DOCUMENT } from './support/document.ts';
import { documentedFields, sentFields } from './support/fields.ts';

type Body = Readonly<{ type: EventType; account: string; data: object }>;

function webhookOf(type: string) {
  const hook = DOCUMENT.webhooks[type];
  if (hook === undefined) throw new Error(`${type} is not documented.`);
  return hook.post.requestBody.content['application/json'];
}

const complaintsOf = (body: Body): readonly string[] =>
  checkClosed(webhookOf(body.type).schema, body).map((each) => `${body.type}: ${each}`);

/** A sandbox with a subscription to everything, whose receiver does not exist. */
async function startSubscribed() {
  const sandbox = await startSandbox({ settings: { WEBHOOK_URL: 'http://127.0.0.1:65535/hooks' } });
  const bodies = async (): Promise<Body[]> =>
    (await deliveries(sandbox.client)).deliveries.map(({ body }) => JSON.parse(body) as Body);
  return { ...sandbox, bodies };
}

it.each(EVENT_TYPES)('the example of %s is one of it', (type) => {
  const { example } = webhookOf(type);
  expect(complaintsOf(example as Body)).toEqual([]);
  expect((example as Body).type).toBe(type);
});

it('a webhook of every type is as documented, and has every documented field', async () => {
  const { client, bodies } = await startSubscribed();
  for (const type of EVENT_TYPES) await trigger(client, type);
  const received = await bodies();
  expect(received.map(({ type }) => type).toSorted()).toEqual(EVENT_TYPES.toSorted());
  expect(received.flatMap(complaintsOf)).toEqual([]);

  const documented = new Set<string>();
  const sent = new Set<string>();
  for (const body of received) {
    const { schema } = webhookOf(body.type);
    documentedFields(schema, (path) => documented.add(path));
    sentFields(schema, body, (path) => sent.add(path));
  }
  // A sample of a top-up of the account names no wallet; the real one below does.
  expect([...documented].filter((path) => !sent.has(path))).toEqual([
    'WalletEvent.data.walletAddress',
  ]);
});

it('events of the sandbox are announced as documented', async () => {
  const { client, clock, bodies } = await startSubscribed();
  const topUp = { currency: 'USDT_TRC20', amount: '1.5' };
  await client.admin('POST', '/sandbox/top-up', topUp);
  await client.admin('POST', '/sandbox/top-up', { ...topUp, opCode: 'TOP_UP' });
  await create(client, [row('1'), row('1', testAddress('0001', 1))], { externalId: '"e"' });
  await create(client, [row('1', testAddress('0006', 1))]);
  steps(clock, 10);
  const received = await bodies();
  expect(received.flatMap(complaintsOf)).toEqual([]);
  const types = new Set(received.map(({ type }) => type));
  expect(types).toContain('SETTLEMENT_TOP_UP_COMPLETED');
  expect(types).toContain('WALLET_FUNDS_DELIVERED_ACCOUNT');
  expect(types).toContain('PAYOUT_CHANGE_STATUS');
  expect(types).toContain('PAYOUT_IN_PROGRESS_NOT_SENT');
  expect(JSON.stringify(received)).toContain('"walletAddress"');
});
