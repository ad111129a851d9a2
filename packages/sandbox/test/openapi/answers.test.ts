import { describe, expect, it } from '@jest/globals';
import { testAddress } from '../../src/test-addresses.ts';
import {
  DEFAULT_ENDPOINTS,
  OPERATIONS,
  type Operation,
  PAYOUT_STATES,
} from '@bursar/merchant-api/spec';
import { act, needConfirmations } from '../support/admin.ts';
import { type Client, errorCodeOf, post, type Reply } from '../support/client.ts';
import { START_MS } from '../support/manual-clock.ts';
import { mutationsOf } from '../support/mutations.ts';
import { create, createPayload, type MassPayoutJson, read, row } from '../support/payouts.ts';
import { prepare, samplesOf } from '../support/samples.ts';
import { startSandbox, steps } from '../support/start.ts';
import { complaintsOf, observed } from './support/answers.ts';
import { checkOpen } from './support/check.ts';
import { documentedCodes, operationOf } from './support/document.ts';
import { documentedFields } from './support/fields.ts';

/** A sandbox with the objects of the samples, and a client that checks its answers. */
async function startObserved(settings: Record<string, string> = {}) {
  const { url, client: plain, clock } = await startSandbox({ settings });
  const { client, complaints, sent } = observed(plain);
  return { url, client, clock, complaints, sent };
}

/** The sample of an operation as a call. */
async function callSample(client: Client, operation: Operation, headers = {}): Promise<Reply> {
  const samples = samplesOf(await prepare(client, START_MS));
  const { account, payload } = samples[operation].body as { account?: string; payload?: object };
  const fields = payload === undefined ? {} : { payload: JSON.stringify(payload) };
  const scope = { account: account === undefined ? undefined : JSON.stringify(account) };
  return client.call(operation, { ...scope, ...fields }, headers);
}

describe.each(OPERATIONS)('%s', (operation) => {
  it('answers its sample as documented', async () => {
    const { client, complaints } = await startObserved();
    expect((await callSample(client, operation)).status).toBe(200);
    expect(complaints).toEqual([]);
  });

  it('refuses every mistake as documented', async () => {
    const { url, client } = await startObserved();
    const samples = samplesOf(await prepare(client, START_MS));
    const complaints: string[] = [];
    for (const { name, text } of mutationsOf(samples[operation])) {
      const reply = await post(url + DEFAULT_ENDPOINTS[operation], text);
      complaints.push(...complaintsOf(operation, reply).map((each) => `${name}: ${each}`));
    }
    expect(complaints).toEqual([]);
  });

  it('may answer with further fields, which nothing of the document forbids', async () => {
    const { client } = await startSandbox({ settings: { EXTRA_FIELDS: 'some' } });
    const reply = await callSample(client, operation);
    expect(complaintsOf(operation, reply, checkOpen)).toEqual([]);
    // So the stricter check of the other tests would find an undocumented field.
    expect(complaintsOf(operation, reply).join()).toContain('addedText');
  });
});

/** Reads a mass payout and its first withdrawal, by every operation that returns them. */
async function look(client: Client, { id, idempotencyKey }: MassPayoutJson): Promise<string> {
  const { state } = await read(client, id);
  await client.call('LOOKUP', { payload: JSON.stringify({ idempotencyKey }) });
  await client.call('LOOKUP', { payload: JSON.stringify({ id: `${id}-1` }) });
  return state;
}

/** Takes mass payouts through all of their states, and does everything else that can be done. */
async function runEverything({ client, clock }: Awaited<ReturnType<typeof startObserved>>) {
  const states = new Set<string>();
  const walk = async (massPayout: MassPayoutJson, count = 8): Promise<void> => {
    for (let step = 0; step < count; step += 1) {
      states.add(await look(client, massPayout));
      steps(clock, 1);
    }
  };
  const texts = { name: '"n"', comment: '"c"', externalId: '"e"' };
  const executionDate = JSON.stringify(new Date(START_MS).toISOString());
  const failing = [{ ...row('1', testAddress('0001', 1)), comment: 'c' }, row('2')];
  const partial = await create(client, failing, { ...texts, executionDate });
  await walk(partial);
  await act(client, 'resend', { id: partial.id });
  await walk(partial);
  await walk(await create(client, [row('1')]));
  await walk(await create(client, [row('1', testAddress('0009', 1))]));
  await walk(await create(client, [row('1', testAddress('0003', 1))]));
  await needConfirmations(client, 1);
  const declined = await create(client, [row('1')]);
  await walk(declined, 3);
  await act(client, 'decline', { id: declined.id });
  await walk(declined, 1);
  for (const operation of OPERATIONS) await callSample(client, operation);
  const report = { firstDate: '2026-11-01T00:00:00Z', lastDate: '2026-12-01T00:00:00Z' };
  const zone = { blockchainList: 'TRON', zoneOffset: {} };
  await client.call('REPORT', { payload: JSON.stringify({ ...report, ...zone }) });
  for (const list of ['WALLET_LIST', 'TRANSACTION_LIST'] as const) {
    const properties = list === 'WALLET_LIST' ? 'name' : 'createdDate';
    await client.call(list, { payload: JSON.stringify({ properties }) });
  }
  await client.call('MASS_GET', { payload: '{"id":"nothing"}' });
  return states;
}

describe('a sandbox in which everything happens', () => {
  it('is in every documented state, and has no undocumented field', async () => {
    const sandbox = await startObserved();
    const states = await runEverything(sandbox);
    expect([...states].toSorted()).toEqual(PAYOUT_STATES.toSorted());
    expect(sandbox.complaints).toEqual([]);
  });

  it('sends every documented field', async () => {
    const sandbox = await startObserved();
    await runEverything(sandbox);
    const documented = new Set<string>();
    for (const operation of OPERATIONS) {
      const answer = operationOf(operation).responses['200']?.content['application/json'].schema;
      documentedFields(answer ?? {}, (path) => documented.add(path));
    }
    const unsent = [...documented].filter((path) => !sandbox.sent.has(path));
    // A withdrawal of a mass payout has no key of its own.
    expect(unsent).toEqual(['Payout.idempotencyKey']);
    expect(documented).toContain('MassPayout.errors.withdrawalErrors.withdrawalId');
  });
});

const key = '"11111111-1111-4111-8111-111111111111"';
const payment = (amount = '1') => ({
  payload: createPayload([row(amount)], { idempotencyKey: key }),
});
const twice =
  (amount = '1') =>
  async (client: Client): Promise<Reply> => {
    await client.call('MASS_CREATE', payment());
    return client.call('MASS_CREATE', payment(amount));
  };
const asking =
  (fields = {}, headers = {}) =>
  (client: Client) =>
    client.call('MASS_CREATE', { ...payment(), ...fields }, headers);

type Way = readonly [
  code: string,
  way: (client: Client) => Promise<Reply>,
  settings?: Record<string, string>,
  operation?: Operation,
];

/** Ways to each refusal that a small request can meet, with the settings that it needs. */
const WAYS: readonly Way[] = [
  ['JSON_INVALID', asking({ payload: '{' })],
  ['FIELD_UNKNOWN', asking({ more: '1' })],
  ['FIELD_INVALID', asking({ payload: '{}' })],
  ['TIMESTAMP_OUT_OF_WINDOW', asking({ timestamp: '1' })],
  ['KEY_UNKNOWN', asking({}, { Key: 'other' })],
  ['SIGNATURE_INVALID', asking({}, { Sign: 'other' })],
  ['CONTENT_TYPE_INVALID', asking({}, { 'Content-Type': 'text/plain' })],
  ['ACCOUNT_FORBIDDEN', asking({ account: `"0x${'1'.repeat(40)}"` })],
  ['INSUFFICIENT_FUNDS', asking(payment('1e9'))],
  [
    'TOO_MANY_ROWS',
    asking({ payload: createPayload([row('1'), row('1')]) }),
    { WITHDRAWALS_MAX: '1' },
  ],
  ['TOO_MANY_REQUESTS', twice(), { REQUESTS_PER_SECOND: '1' }],
  ['IDEMPOTENCY_KEY_CONFLICT', twice('2')],
  ['IDEMPOTENCY_KEY_EXISTS', twice(), { IDEMPOTENCY: 'reject-400' }],
  ['IDEMPOTENCY_KEY_USED', twice(), { IDEMPOTENCY: 'reject-409' }],
  ['IDEMPOTENCY_KEY_MISMATCH', twice('2'), { IDEMPOTENCY: 'reject-422-other-body' }],
  ['IDEMPOTENCY_KEY_IN_FLIGHT', twice(), { IDEMPOTENCY: 'in-flight-409' }],
  [
    'IDEMPOTENCY_KEY_POISONED',
    twice(),
    {
      IDEMPOTENCY: 'poisoned-after-500',
      FAULTS: '[{"target":"MASS_CREATE","kind":"status-500","next":1}]',
    },
  ],
  ['FAULT_INJECTED', asking(), { FAULTS: '[{"target":"MASS_CREATE","kind":"status-500"}]' }],
  [
    'NOT_FOUND',
    (client) => client.call('MASS_GET', { payload: '{"id":"nothing"}' }),
    {},
    'MASS_GET',
  ],
];

describe('a refusal', () => {
  it.each(WAYS)(
    '%s is as documented',
    async (code, way, settings = {}, operation = 'MASS_CREATE') => {
      const { client } = await startSandbox({ settings });
      const reply = await way(client);
      expect(errorCodeOf(reply)).toBe(code);
      expect(complaintsOf(operation, reply)).toEqual([]);
      const hasWait = reply.headers.get('retry-after') !== null;
      expect(hasWait).toBe(code === 'TOO_MANY_REQUESTS');
    },
  );

  it('of every documented kind is tried here, but those that no small POST can meet', () => {
    const { '200': _done, ...refusals } = operationOf('MASS_CREATE').responses;
    const statuses = Object.keys(refusals).map(Number);
    const documented = statuses.flatMap((status) => documentedCodes('MASS_CREATE', status));
    const rest = ['BODY_TOO_LARGE', 'INTERNAL_ERROR', 'REQUEST_MALFORMED', 'METHOD_NOT_ALLOWED'];
    const tried = WAYS.map(([code]) => code).filter((code) => code !== 'NOT_FOUND');
    expect([...tried, ...rest].toSorted()).toEqual(documented.toSorted());
  });
});
