import { describe, expect, it } from '@jest/globals';
import { massPayoutEvent } from '../../src/sandbox/core/events.ts';
import type { Fault, FaultRule } from '../../src/sandbox/core/faults.ts';
import {
  attemptOutcome,
  HEALTHY,
  healthAfterFailure,
  healthAfterSuccess,
  type SubscriptionHealth,
} from '../../src/sandbox/core/webhooks.ts';
import { createFaults } from '../../src/sandbox/faults.ts';
import type { FaultTable } from '../../src/sandbox/store/faults.ts';
import type { NewDelivery, Subscription } from '../../src/sandbox/store/webhooks.ts';
import { isUrlAllowed } from '../../src/sandbox/webhooks/addresses.ts';
import { createAnnouncer } from '../../src/sandbox/webhooks/announcer.ts';
import { massPayout } from './support/mass-payout.ts';

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

  it('follows the schedule of the spec: 19 retries, the last after 125430 s', () => {
    const delaysS = Array.from({ length: 19 }, (_, index) => {
      const outcome = attemptOutcome(500, index + 1);
      return outcome.kind === 'retry' ? outcome.delayMs / 1000 : null;
    });
    expect(delaysS.slice(0, 7)).toEqual([30, 30, 60, 90, 150, 240, 390]);
    expect(delaysS[18]).toBe(125_430);
    expect(attemptOutcome(500, 20)).toEqual({ kind: 'given-up' });
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

  it('starts to count anew after a success', () => {
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

  it('remembers the first and the last failure in a row', () => {
    expect(failures([5, 7, 9])).toMatchObject({ errorCount: 3, errorFirstMs: 5, errorLastMs: 9 });
  });
});

/** The deliveries of ten events, with these faults. */
function deliveriesOf(rules: readonly FaultRule[], health = HEALTHY): NewDelivery[] {
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
  const subscriber: Subscription = {
    id: 'a',
    url: 'http://127.0.0.1',
    publicKey: 'k',
    secretKey: 's',
    createdMs: 0,
    enabled: true,
    health,
  };
  const added: NewDelivery[] = [];
  const announcer = createAnnouncer({
    queue: { subscriptions: () => [subscriber], add: (delivery) => void added.push(delivery) },
    faults: createFaults(table, rules),
    clock: { nowMs: () => 1_000 },
    onQueued: () => {},
  });
  for (let event = 0; event < 10; event += 1) announcer.announce(massPayoutEvent(massPayout()));
  return added;
}

describe('the faults of webhooks', () => {
  it('send each event once and at once when there are none', () => {
    expect(deliveriesOf([]).map(({ dueMs }) => dueMs)).toEqual(Array(10).fill(1_000));
  });

  it('drop as many as were asked for', () => {
    expect(deliveriesOf([{ target: 'WEBHOOK', kind: 'drop', next: 3 }])).toHaveLength(7);
    expect(deliveriesOf([{ target: 'WEBHOOK', kind: 'drop' }])).toHaveLength(0);
  });

  it('send each as often as asked for', () => {
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

  it('work together', () => {
    const added = deliveriesOf([
      { target: 'WEBHOOK', kind: 'duplicate', copies: 2 },
      { target: 'WEBHOOK', kind: 'shuffle', delayMs: 5_000 },
      { target: 'WEBHOOK', kind: 'drop', probability: 0.5, seed: 1 },
    ]);
    expect(added.length % 2).toBe(0);
    expect(added.length).toBeGreaterThan(0);
    expect(added.length).toBeLessThan(20);
  });

  it('keep back what comes while the subscription is blocked', () => {
    const blocked = { ...HEALTHY, blocked: true };
    expect(deliveriesOf([], blocked).map(({ dueMs }) => dueMs)).toEqual(Array(10).fill(null));
  });
});

describe('the address of a receiver', () => {
  it.each([
    ['http://example.com/hook', true, true],
    ['https://example.com:8443/hook?a=1', true, true],
    ['http://93.184.216.34/', true, true],
    ['http://127.0.0.1:8787/hooks/x', true, false],
    ['http://[::1]/', true, false],
    ['http://10.1.2.3/', true, false],
    ['http://192.168.0.1/', true, false],
    ['http://172.31.0.1/', true, false],
    ['http://[::ffff:127.0.0.1]/', true, false],
    ['http://2130706433/', true, false],
    ['http://169.254.169.254/latest/meta-data', false, false],
    ['http://[::ffff:169.254.169.254]/', false, false],
    ['http://[fe80::1]/', false, false],
    ['http://0.0.0.0/', false, false],
    ['http://[::]/', false, false],
    ['http://224.0.0.1/', false, false],
    ['http://255.255.255.255/', false, false],
    ['http://user:password@example.com/', false, false],
    ['ftp://example.com/', false, false],
    ['file:///etc/passwd', false, false],
    ['javascript:alert(1)', false, false],
    ['example.com', false, false],
    ['', false, false],
  ])('%s is allowed: %s, and without private networks: %s', (url, allowed, publicly) => {
    expect([isUrlAllowed(url, true), isUrlAllowed(url, false)]).toEqual([allowed, publicly]);
  });
});
