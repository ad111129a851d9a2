import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { EVENT_TYPES_OF_GROUP, PAYOUT_STATES } from '@bursar/merchant-api/spec';
import { sampleData } from '../src/core/event-samples.ts';
import { type TestAddressCode, testAddress } from '../src/test-addresses.ts';
import { act, good, needConfirmations } from './support/admin.ts';
import { ACCOUNT, type Client } from './support/client.ts';
import { START_MS } from './support/manual-clock.ts';
import { create, row } from './support/payouts.ts';
import { startSandbox, steps } from './support/start.ts';

type EventJson = Readonly<{ type: string; account: string; data: Readonly<{ state?: string }> }>;

const events = async (client: Client): Promise<EventJson[]> =>
  good<{ events: EventJson[] }>(await client.get('/sandbox/events')).events;

/** Each change of state by its state, each other event by its type. */
const story = async (client: Client): Promise<string[]> =>
  (await events(client)).map(({ type, data }) =>
    type === 'PAYOUT_CHANGE_STATUS' ? (data.state ?? '') : type,
  );

const fated = (code: TestAddressCode) => row('1', testAddress(code, 1));

const BEGIN = ['CREATION_IN_PROGRESS', 'PENDING_CONFIRMATION', 'PAYOUT_CREATED_NOT_APPROVED'];

describe('the events of a mass payout', () => {
  it('that two people must confirm', async () => {
    const { client, clock } = await startSandbox();
    await needConfirmations(client, 2);
    const { id } = await create(client, [row('1')]);
    steps(clock, 1);
    for (const _person of [1, 2]) await act(client, 'confirm', { id });
    steps(clock, 2);
    expect(await story(client)).toEqual([
      ...BEGIN,
      'PAYOUT_CREATED_PARTLY_APPROVED',
      'CONFIRMED',
      'PAYOUT_CONFIRMED',
      'IN_PROGRESS',
      'COMPLETED',
    ]);
  });

  it('that is declined', async () => {
    const { client, clock } = await startSandbox({ settings: { CONFIRMATION: 'on' } });
    const { id } = await create(client, [row('1')]);
    steps(clock, 1);
    await act(client, 'decline', { id });
    expect(await story(client)).toEqual([...BEGIN, 'CANCELED']);
  });

  it.each([0, 1])('that is not confirmed to its date, with %d people so far', async (people) => {
    const { client, clock } = await startSandbox();
    await needConfirmations(client, 3);
    const executionDate = JSON.stringify(new Date(START_MS + 60_000).toISOString());
    const { id } = await create(client, [row('1')], { executionDate });
    steps(clock, 1);
    for (let person = 0; person < people; person += 1) await act(client, 'confirm', { id });
    const before = await story(client);
    clock.advance(60_000 - 1_001);
    expect(await story(client)).toEqual(before);
    clock.advance(100_000);
    expect(await story(client)).toEqual([...before, 'PAYOUT_NO_CONFIRMATION_FOR_PAYOUT_TO_DATE']);
  });

  it.each([
    ['0005', ['CONFIRMED', 'FAILED', 'PAYOUT_VALIDATION_ERROR']],
    ['0006', ['CONFIRMED', 'IN_PROGRESS', 'PAYOUT_IN_PROGRESS_NOT_SENT', 'COMPLETED']],
    ['0007', ['CONFIRMED', 'IN_PROGRESS', 'WAITING_COMPLETION_ERRORS']],
  ] as const)('with the address code %s', async (code, expected) => {
    const { client, clock } = await startSandbox();
    await create(client, [row('1'), fated(code)]);
    steps(clock, 20);
    expect(await story(client)).toEqual(['CREATION_IN_PROGRESS', ...expected]);
  });

  it('that is resent by a person', async () => {
    const { client, clock } = await startSandbox();
    const { id } = await create(client, [row('1'), fated('0001'), fated('0002')]);
    steps(clock, 3);
    for (const positions of [[2], [3]]) {
      await act(client, 'resend', { id, positions });
      steps(clock, 1);
    }
    expect((await story(client)).slice(3)).toEqual([
      'PARTIAL',
      'IN_PROGRESS',
      'PARTIAL',
      'IN_PROGRESS',
      'COMPLETED',
    ]);
  });

  it('have the id of the mass payout and its state', async () => {
    const { client, clock } = await startSandbox({ settings: { CONFIRMATION: 'on' } });
    const { id, idempotencyKey } = await create(client, [row('1')]);
    steps(clock, 1);
    await act(client, 'confirm', { id });
    expect((await events(client)).at(-1)).toMatchObject({
      type: 'PAYOUT_CONFIRMED',
      account: ACCOUNT,
      data: { id, idempotencyKey, state: 'CONFIRMED' },
    });
  });
});

it.each(['PAYOUT', 'SETTLEMENT_PAYOUT'] as const)(
  'the samples of the group %s have states of payouts',
  (group) => {
    for (const type of EVENT_TYPES_OF_GROUP[group]) {
      const facts = { account: ACCOUNT, nowMs: START_MS, newId: randomUUID };
      expect(PAYOUT_STATES).toContain(sampleData(type, facts)['state']);
    }
  },
);

it.each([
  [undefined, 'SETTLEMENT_TOP_UP_COMPLETED'],
  ['SETTLEMENT_TOP_UP', 'SETTLEMENT_TOP_UP_COMPLETED'],
  ['TOP_UP', 'WALLET_FUNDS_DELIVERED_ACCOUNT'],
])('a top-up with the operation code %s is announced by %s', async (opCode, type) => {
  const { client } = await startSandbox();
  await client.admin('POST', '/sandbox/top-up', { currency: 'BTC', amount: '0.10', opCode });
  expect(await events(client)).toMatchObject([
    {
      type,
      account: ACCOUNT,
      data: {
        currency: 'BTC',
        amount: '0.1',
        walletAddress: expect.any(String),
        transactionHash: expect.any(String),
      },
    },
  ]);
});

it('a top-up takes no other operation code', async () => {
  const { client } = await startSandbox();
  const fields = { currency: 'BTC', amount: '1', opCode: 'FEE' };
  expect((await client.admin('POST', '/sandbox/top-up', fields)).status).toBe(400);
});
