import type { DeliveryStatus } from '../src/store/delivery.ts';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { SubscriptionRelease } from '../src/core/subscriptions.ts';
import { createCommits } from '../src/store/store.ts';
import { type Database, openDatabase } from '../src/store/database.ts';
import { createDeliveryQueue, type DeliveryQueue } from '../src/store/deliveries.ts';
import { onCleanup, temporaryFolder } from './support/start.ts';

async function openQueue(): Promise<{ db: Database; queue: DeliveryQueue }> {
  const db = openDatabase(join(await temporaryFolder(), 'sandbox.db'));
  onCleanup(async () => void db.close());
  return { db, queue: createDeliveryQueue(db) };
}

const FAILED_MS = 1_000;

/** Adds deliveries of a subscription in these statuses, which all failed once at `FAILED_MS`. */
function fill(queue: DeliveryQueue, subscription: number, statuses: readonly DeliveryStatus[]) {
  const event = { type: 'PAYOUT_CONFIRMED', account: 'a', body: '{}', fault: null } as const;
  for (const status of statuses) {
    queue.add({ ...event, subscription, createdMs: 0, status: 'WAITING', dueMs: 0 });
    const log = [{ atMs: FAILED_MS, status: 500, reason: null }];
    const dueMs = status === 'WAITING' ? 90_000 : null;
    queue.update({ id: queue.lastId(), subscription, status, dueMs, attempts: 7, log });
  }
}

const many = (status: DeliveryStatus, length: number): DeliveryStatus[] =>
  Array.from({ length }, () => status);

const idsOf = (queue: DeliveryQueue, subscription: number, status: DeliveryStatus): number[] =>
  queue
    .page({
      filter: [{ subscription, statuses: [status] }],
      order: 'oldest',
      after: null,
      limit: 1_000,
    })
    .map(({ id }) => id);

describe('the counts of deliveries', () => {
  it('follow every change', async () => {
    const { queue } = await openQueue();
    fill(queue, 1, [...many('WAITING', 5), ...many('DELIVERED', 3), 'GIVEN_UP']);
    fill(queue, 2, ['DROPPED']);
    expect(queue.counts(1)).toEqual({ WAITING: 5, DELIVERED: 3, GIVEN_UP: 1 });
    expect(queue.counts(2)).toEqual({ DROPPED: 1 });
    queue.trim(1, 'DELIVERED', { kept: 0, limit: 3 });
    expect(queue.counts(1)).toEqual({ WAITING: 5, GIVEN_UP: 1 });
    expect(queue.counts(3)).toEqual({});
  });
});

describe('the kept deliveries', () => {
  it('is the newest of a status, and no other status and subscription is touched', async () => {
    const { queue } = await openQueue();
    fill(queue, 1, many('DELIVERED', 10));
    fill(queue, 1, many('WAITING', 10));
    fill(queue, 2, many('DELIVERED', 10));
    queue.trim(1, 'DELIVERED', { kept: 4, limit: 6 });
    expect(idsOf(queue, 1, 'DELIVERED')).toEqual([7, 8, 9, 10]);
    expect(queue.counts(1)).toEqual({ WAITING: 10, DELIVERED: 4 });
    expect(queue.counts(2)).toEqual({ DELIVERED: 10 });
  });

  it('is trimmed bit by bit, when a whole bit is too much', async () => {
    const { queue } = await openQueue();
    fill(queue, 1, many('DELIVERED', 10));
    const counts: unknown[] = [];
    for (let round = 0; round < 3; round += 1) {
      queue.trim(1, 'DELIVERED', { kept: 3, limit: 3 });
      counts.push(queue.counts(1).DELIVERED);
    }
    expect(counts).toEqual([7, 4, 4]);
  });

  it('is cleared away bit by bit', async () => {
    const { queue } = await openQueue();
    fill(queue, 1, many('WAITING', 10));
    fill(queue, 2, many('WAITING', 1));
    const rounds: boolean[] = [];
    for (let round = 0; round < 4; round += 1) rounds.push(queue.clear(1, 4));
    expect(rounds).toEqual([true, true, true, false]);
    expect([queue.counts(1), queue.counts(2)]).toEqual([{}, { WAITING: 1 }]);
  });

  it('has no more than 50 attempts, however often it is sent by hand', async () => {
    const { queue } = await openQueue();
    fill(queue, 1, ['DELIVERED']);
    for (let atMs = 0; atMs < 200; atMs += 1) {
      const before = queue.get(1);
      if (before === null) throw new Error('It is gone.');
      const log = [...before.log, { atMs, status: 200, reason: null }];
      queue.update({ ...before, log });
    }
    const log = queue.get(1)?.log ?? [];
    expect([log.length, log.at(-1)?.atMs]).toEqual([50, 199]);
  });
});

describe('a release', () => {
  const start: SubscriptionRelease = {
    status: 'WAITING',
    afterId: 0,
    toId: 9,
    failedSinceMs: FAILED_MS,
  };

  /** Finishes a release. Returns the number of slices. */
  function releaseAll(queue: DeliveryQueue, limit: number): number {
    let left: SubscriptionRelease | null = start;
    let slices = 0;
    for (; left !== null; slices += 1) left = queue.release(1, left, { nowMs: 5_000, limit });
    return slices;
  }

  it.each([1, 2, 100])(
    'makes everything due in slices of %d, each delivery once',
    async (limit) => {
      const { queue } = await openQueue();
      fill(queue, 1, [...many('WAITING', 4), 'DELIVERED', ...many('GIVEN_UP', 3), 'DROPPED']);
      fill(queue, 1, many('WAITING', 2));
      fill(queue, 2, many('WAITING', 1));
      releaseAll(queue, limit);
      const due = queue.due(1, 5_000, 100);
      expect(due.map(({ id, attempts }) => [id, attempts])).toEqual(
        [1, 2, 3, 4, 6, 7, 8].map((id) => [id, 0]),
      );
      expect(queue.counts(1)).toEqual({ WAITING: 9, DELIVERED: 1, DROPPED: 1 });
      expect(queue.due(2, 5_000, 100)).toEqual([]);
    },
  );

  it('leaves webhooks that were given up before the failures began', async () => {
    const { queue } = await openQueue();
    fill(queue, 1, many('GIVEN_UP', 2));
    let left: SubscriptionRelease | null = { ...start, failedSinceMs: FAILED_MS + 1 };
    while (left !== null) left = queue.release(1, left, { nowMs: 5_000, limit: 10 });
    expect(queue.counts(1)).toEqual({ GIVEN_UP: 2 });
  });

  it('does not take a delivery twice that failed again meanwhile', async () => {
    const { queue } = await openQueue();
    fill(queue, 1, many('WAITING', 2));
    const left = queue.release(1, start, { nowMs: 5_000, limit: 1 });
    const [first] = queue.due(1, 5_000, 1);
    if (first === undefined || left === null) throw new Error('Nothing was released.');
    queue.update({ ...first, dueMs: 35_000, attempts: 1 });
    queue.release(1, left, { nowMs: 5_000, limit: 10 });
    expect(queue.due(1, 5_000, 10).map(({ id }) => id)).toEqual([2]);
    expect(queue.get(1)).toMatchObject({ dueMs: 35_000, attempts: 1 });
  });
});

describe('an update', () => {
  it('of a delivery whose number another subscription has by now changes nothing', async () => {
    const { queue } = await openQueue();
    fill(queue, 1, ['WAITING']);
    const old = queue.get(1);
    queue.clear(1, 10);
    fill(queue, 2, ['WAITING']);
    if (old === null) throw new Error('It is gone.');
    queue.update({ ...old, status: 'DELIVERED' });
    expect(queue.counts(2)).toEqual({ WAITING: 1 });
    expect(queue.get(1)?.status).toBe('WAITING');
  });
});

describe('every query of the queue', () => {
  it.each([
    'SELECT * FROM delivery WHERE subscription = 1 AND due_ms <= 5 ORDER BY due_ms, id LIMIT 1',
    'SELECT min(due_ms) FROM delivery WHERE subscription = 1 AND due_ms > 5',
    `SELECT id FROM delivery WHERE subscription = 1 AND status = 'DELIVERED' AND id > 5
     ORDER BY id LIMIT 1`,
    `SELECT id FROM delivery WHERE subscription = 1 AND status = 'DELIVERED' AND id < 5
     ORDER BY id DESC LIMIT 1`,
    `UPDATE delivery SET due_ms = 1
     WHERE subscription = 1 AND status = 'WAITING' AND id > 1 AND id <= 2`,
    'SELECT id FROM delivery WHERE subscription = 1 LIMIT 1',
    'SELECT count FROM delivery_count WHERE subscription = 1',
  ])('uses an index and sorts nothing: %s', async (sql) => {
    const { db } = await openQueue();
    const steps = (db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[]).map(
      ({ detail }) => detail,
    );
    expect(steps.join()).toContain('SEARCH');
    expect(steps.join()).not.toMatch(/SCAN|TEMP B-TREE/);
  });
});

describe('work after a transaction', () => {
  it('is done when it is durable, at once without one, and never when it is undone', async () => {
    const { db } = await openQueue();
    const { transaction, afterCommit } = createCommits(db);
    const done: string[] = [];
    transaction(() => {
      afterCommit(() => done.push('first'));
      done.push('work');
    });
    const failing = (): void => {
      afterCommit(() => done.push('undone'));
      throw new Error('half way');
    };
    expect(() => transaction(failing)).toThrow('half way');
    afterCommit(() => done.push('at once'));
    transaction(() => {});
    expect(done).toEqual(['work', 'first', 'at once']);
  });
});
