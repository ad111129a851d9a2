import { describe, expect, it } from '@jest/globals';
import { massPayoutEvent } from '../src/core/events.ts';
import type { Fault, FaultRule } from '../src/core/faults.ts';
import { DEFAULT_MODES, type Modes } from '../src/core/modes.ts';
import type { Subscription } from '../src/core/subscriptions.ts';
import { eventBody, webhookHeaders } from '../src/core/webhook-message.ts';
import {
  attemptOutcome,
  HEALTHY,
  healthAfterFailure,
  healthAfterSuccess,
  type SubscriptionHealth,
} from '../src/core/webhooks.ts';
import { createFaults } from '../src/faults.ts';
import type { NewDelivery } from '../src/store/delivery.ts';
import type { FaultTable } from '../src/store/faults.ts';
import { createAnnouncer } from '../src/webhooks/announcer.ts';
import { createRegistry } from '../src/webhooks/registry.ts';
import { webhookRetryDelaysS } from '@bursar/merchant-api/spec';
import { ACCOUNT } from './support/client.ts';
import { massPayout } from './support/mass-payout.ts';

const notExpected = (): never => {
  throw new Error('not expected in this test');
};

const subscriber = (fields: Partial<Subscription> = {}): Subscription => ({
  n: 1,
  id: 'a',
  requestId: 'r',
  account: ACCOUNT,
  url: 'http://127.0.0.1',
  types: [],
  groups: ['PAYOUT'],
  publicKey: 'k',
  secretKey: 's',
  createdMs: 0,
  enabled: true,
  deleted: false,
  health: HEALTHY,
  release: null,
  ...fields,
});

const MINUTE_MS = 60_000;

const failures = (timesMs: readonly number[], speed = 1): SubscriptionHealth =>
  timesMs.reduce((health, atMs) => healthAfterFailure(health, atMs, speed), HEALTHY);

const times = (count: number, everyMs: number): number[] =>
  Array.from({ length: count }, (_, index) => index * everyMs);

describe('the outcome of a delivery', () => {
  it('is delivered for the status 200 only', () => {
    expect(attemptOutcome(200, 1)).toEqual({ kind: 'delivered' });
    for (const status of [100, 201, 202, 204, 301, 307, 400, 404, 500, null]) {
      expect(attemptOutcome(status, 1).kind).toBe('retry');
    }
  });

  it('follows the schedule of the spec: 19 retries, and then no more', () => {
    const delaysS = Array.from({ length: 19 }, (_, index) => {
      const outcome = attemptOutcome(500, index + 1);
      return outcome.kind === 'retry' ? outcome.delayMs / 1000 : null;
    });
    expect(delaysS).toEqual(webhookRetryDelaysS());
    expect(attemptOutcome(500, 20)).toEqual({ kind: 'given-up' });
  });
});

/**
 * Spec: "the first retry after 30 seconds; following intervals in the sequence 30 s, 60 s, 90 s,
 * 150 s, 240 s and so on (each the sum of the two before); the last interval is 125430 s (about 34
 * hours) ...; 19 retries in total". Read as: one wait of 30 s for the first retry, and then, for the
 * retries that follow, the whole sequence from its 30 on. The k-th interval of the sequence is 30
 * times the Fibonacci number F(k + 1), and the sum of the first k is 30 * (F(k + 3) - 2).
 */
describe('the sequence of the intervals', () => {
  const fibonacci = (k: number): number => Math.round(((1 + Math.sqrt(5)) / 2) ** k / Math.sqrt(5));

  it('is 30 s, and then 18 intervals that begin 30, 60, 90, 150, 240 and end with 125430', () => {
    const following = Array.from({ length: 18 }, (_, index) => 30 * fibonacci(index + 2));
    expect(following.slice(0, 5)).toEqual([30, 60, 90, 150, 240]);
    expect(following[17]).toBe(125_430);
    expect(webhookRetryDelaysS()).toEqual([30, ...following]);
  });

  it('lasts 328350 s, which is 91.2 hours', () => {
    const sumS = webhookRetryDelaysS().reduce((sum, delayS) => sum + delayS, 0);
    expect(sumS).toBe(30 + 30 * (fibonacci(21) - 2));
    expect(sumS).toBe(328_350);
  });

  it('read without the extra 30 s would have no 19 retries that end with 125430 s', () => {
    const withoutFirst = webhookRetryDelaysS().slice(1);
    expect(withoutFirst).toHaveLength(18);
    expect(withoutFirst.at(-1)).toBe(125_430);
  });
});

describe('the blocking of a subscription', () => {
  it.each([
    ['100 failures at once', times(100, 0), false],
    ['101 failures at once', times(101, 0), true],
    ['101 failures within 10 minutes', times(101, 5_999), true],
    ['101 failures in just over 10 minutes', times(101, 6_001), false],
    ['1,000 failures, one each 10 seconds', times(1_000, 10_000), false],
    [
      'slow failures, then 101 fast ones',
      [...times(20, MINUTE_MS), ...times(101, 1).map((at) => at + 30 * MINUTE_MS)],
      true,
    ],
  ])('after %s is %s', (_name, timesMs, blocked) => {
    expect(failures(timesMs).blocked).toBe(blocked);
  });

  it('counts from 0 again after a success', () => {
    const health = healthAfterSuccess(failures(times(100, 1)));
    expect(health).toEqual(HEALTHY);
    expect(healthAfterFailure(health, 200, 1)).toMatchObject({ errorCount: 1, blocked: false });
  });

  it('is not ended by a success', () => {
    expect(healthAfterSuccess(failures(times(101, 1))).blocked).toBe(true);
  });

  it('counts in a time that is shorter by the speed', () => {
    expect(failures(times(101, 1_000), 10).blocked).toBe(false);
    expect(failures(times(101, 500), 10).blocked).toBe(true);
  });

  it('remembers no more failures than it needs, however many come', () => {
    expect(failures(times(10_000, 1)).recentMs).toHaveLength(101);
  });

  it('remembers the first and the last failure in a row', () => {
    expect(failures([5, 7, 9])).toMatchObject({ errorCount: 3, errorFirstMs: 5, errorLastMs: 9 });
  });
});

/** The deliveries of ten events, with these faults. */
function deliveriesOf(
  rules: readonly FaultRule[],
  receivers: readonly Subscription[] = [subscriber()],
): NewDelivery[] {
  const stored: Fault[] = [];
  const table: FaultTable = {
    add: (_source, rule) => {
      const fault = { id: stored.length, rule, drawn: 0, fired: 0 };
      stored.push(fault);
      return fault;
    },
    list: (source) => (source === 'settings' ? [] : stored),
    count: () => {},
    remove: () => {},
  };
  const faults = createFaults(table, rules);
  const added: NewDelivery[] = [];
  const announcer = createAnnouncer({
    registry: createRegistry(() => receivers),
    publish: () => {},
    addDelivery: (delivery) => void added.push(delivery),
    drawFault: (kind) => faults.draw('WEBHOOK', kind),
    modes: () => DEFAULT_MODES,
    nowMs: () => 1_000,
    onQueued: () => {},
  });
  for (let event = 0; event < 10; event += 1) announcer.announce(massPayoutEvent(massPayout()));
  return added;
}

describe('the faults of webhooks', () => {
  it('send each event once and at once when there are none', () => {
    expect(deliveriesOf([]).map(({ dueMs }) => dueMs)).toEqual(Array(10).fill(1_000));
  });

  it('drop as many as their rule allows, and record it', () => {
    const statuses = deliveriesOf([{ target: 'WEBHOOK', kind: 'drop', next: 3 }]).map(
      ({ status, dueMs, fault }) => [status, dueMs, fault],
    );
    expect(statuses).toEqual([
      ...Array.from({ length: 3 }, () => ['DROPPED', null, 'drop']),
      ...Array.from({ length: 7 }, () => ['WAITING', 1_000, null]),
    ]);
  });

  it('send each as often as their rule has it', () => {
    expect(deliveriesOf([{ target: 'WEBHOOK', kind: 'duplicate', copies: 4 }])).toHaveLength(40);
  });

  it('shuffle by delays that depend on the seed alone', () => {
    const shuffle = (seed: number) =>
      deliveriesOf([{ target: 'WEBHOOK', kind: 'shuffle', delayMs: 5_000, seed }]).map(
        ({ dueMs }) => dueMs ?? 0,
      );
    const dueMs = shuffle(7);
    expect(shuffle(7)).toEqual(dueMs);
    expect(shuffle(8)).not.toEqual(dueMs);
    expect(dueMs).not.toEqual(dueMs.toSorted((a, b) => a - b));
    expect(Math.min(...dueMs)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...dueMs)).toBeLessThan(6_000);
  });

  it('send late by exactly the delay of their rule', () => {
    const late = deliveriesOf([{ target: 'WEBHOOK', kind: 'late', delayMs: 5_000, next: 2 }]);
    expect(late.map(({ dueMs }) => dueMs)).toEqual([6_000, 6_000, ...Array(8).fill(1_000)]);
    expect(late.map(({ fault }) => fault)).toEqual(['late', 'late', ...Array(8).fill(null)]);
  });

  it('work together', () => {
    const added = deliveriesOf([
      { target: 'WEBHOOK', kind: 'duplicate', copies: 2 },
      { target: 'WEBHOOK', kind: 'shuffle', delayMs: 5_000 },
      { target: 'WEBHOOK', kind: 'drop', probability: 0.5, seed: 1 },
    ]);
    const sent = added.filter(({ fault }) => fault === 'duplicate+shuffle');
    expect(sent.length % 2).toBe(0);
    expect(sent.length).toBeGreaterThan(0);
    expect(added.filter(({ fault }) => fault === 'drop').length).toBe(10 - sent.length / 2);
  });
});

describe('the receivers of an event', () => {
  const numbers = (receivers: readonly Subscription[]): number[] =>
    deliveriesOf([], receivers)
      .slice(0, receivers.length)
      .map(({ subscription }) => subscription);

  it('are those of its account and its type, once each, and those of every account', () => {
    const receivers = [
      subscriber({ n: 1 }),
      subscriber({ n: 2, account: null }),
      subscriber({ n: 3, account: '0x00000000000000000000000000000000000000ff' }),
      subscriber({ n: 4, types: ['PAYOUT_CONFIRMED'], groups: [] }),
      subscriber({ n: 5, types: ['PAYOUT_CHANGE_STATUS'], groups: ['PAYOUT'] }),
      subscriber({ n: 6, types: [], groups: ['SETTLEMENT_PAYOUT'] }),
    ];
    expect(deliveriesOf([], receivers)).toHaveLength(30);
    expect(new Set(numbers(receivers))).toEqual(new Set([1, 2, 5]));
  });

  it('include blocked subscriptions, but not disabled or deleted ones', () => {
    const receivers = [
      subscriber({ n: 1, health: { ...HEALTHY, blocked: true } }),
      subscriber({ n: 2, enabled: false }),
      subscriber({ n: 3, deleted: true }),
    ];
    expect(deliveriesOf([], receivers).map(({ subscription }) => subscription)).toEqual(
      Array(10).fill(1),
    );
  });

  it('get one and the same body', () => {
    const [first, second] = deliveriesOf([], [subscriber({ n: 1 }), subscriber({ n: 2 })]);
    expect(first?.body).toBe(second?.body);
  });

  it('when there are none, nothing is drawn and no body is made', () => {
    const announcer = createAnnouncer({
      registry: createRegistry(() => []),
      drawFault: notExpected,
      modes: notExpected,
      nowMs: notExpected,
      publish: () => {},
      addDelivery: notExpected,
      onQueued: notExpected,
    });
    expect(announcer.announce(massPayoutEvent(massPayout()))).toBe(0);
  });
});

describe('the body of a webhook', () => {
  const event = massPayoutEvent(massPayout({ externalId: 'b/1/0' }));
  const { id, idempotencyKey } = massPayout();
  const data = { id, idempotencyKey, externalId: 'b/1/0', state: 'CREATION_IN_PROGRESS' };
  const bodyIn = (modes: Partial<Modes>): unknown =>
    JSON.parse(eventBody(event, { ...DEFAULT_MODES, ...modes }));

  it('is nested, or flat', () => {
    const type = 'PAYOUT_CHANGE_STATUS';
    expect(bodyIn({})).toEqual({ type, account: ACCOUNT, data });
    expect(bodyIn({ webhookBody: 'flat' })).toEqual({ ...data, type, account: ACCOUNT });
  });

  it('opaque has an id by which nothing can be found', () => {
    const text = JSON.stringify(bodyIn({ webhookBody: 'opaque' }));
    expect(text).toMatch(/^\{"eventId":"[0-9a-f-]{36}"\}$/);
    for (const known of [id, idempotencyKey, 'b/1/0', ACCOUNT]) expect(text).not.toContain(known);
  });

  it('names the account in the form of the mode', () => {
    expect(bodyIn({ accountId: 'uuid' })).toMatchObject({
      account: '00000000-0000-0000-0000-000000000001',
    });
  });

  it('has undocumented fields in each object, where the mode adds them', () => {
    const added = { addedText: 'not documented', addedObject: expect.anything() };
    const type = 'PAYOUT_CHANGE_STATUS';
    const extraFields = 'some';
    expect(bodyIn({ extraFields })).toEqual({
      type,
      account: ACCOUNT,
      ...added,
      data: { ...data, ...added },
    });
    expect(bodyIn({ extraFields, webhookBody: 'flat' })).toEqual({
      ...data,
      type,
      account: ACCOUNT,
      ...added,
    });
    expect(bodyIn({ extraFields, webhookBody: 'opaque' })).toEqual({
      eventId: expect.anything(),
      ...added,
    });
    const failed = { ...event, data: { errors: [{ id: 1 }, 'x', null] } };
    expect(JSON.parse(eventBody(failed, { ...DEFAULT_MODES, extraFields }))).toMatchObject({
      data: { errors: [{ id: 1, ...added }, 'x', null] },
    });
  });

  it('is signed with HMAC-SHA512 of its bytes, or not at all', () => {
    const keys = { publicKey: 'k', secretKey: 'key' };
    const body = 'The quick brown fox jumps over the lazy dog';
    expect(webhookHeaders(keys, body, 'hmac-sha512')).toEqual({
      'Content-Type': 'application/json',
      Key: 'k',
      Sign:
        'b42af09057bac1e2d41708e48a902e09b5ff7f12ab428a4fe86653c73dd248fb' +
        '82f948a549f7b791a5b41915ee4d1ec3935357e4e2317250d0372afa2ebeeb3a',
    });
    expect(webhookHeaders(keys, body, 'none')).toEqual({
      'Content-Type': 'application/json',
    });
  });
});
