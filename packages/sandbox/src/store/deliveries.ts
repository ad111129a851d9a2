import type { Delivery, DeliveryAttempt, DeliveryStatus, NewDelivery } from './delivery.ts';
import type { EventType } from '@bursar/merchant-api/spec';
import type { SubscriptionRelease } from '../core/subscriptions.ts';
import { createDeliveryPages, type DeliveryPages } from './delivery-pages.ts';
import type { Database } from './database.ts';
import { rowOrNull } from './row.ts';

/** When a delivery is sent next; `dueMs` is null when it is not sent again. */
export type DeliverySchedule = Readonly<{ status: DeliveryStatus; dueMs: number | null }>;

/** The result of one attempt to deliver. */
export type DeliveryUpdate = DeliverySchedule &
  Readonly<{
    id: number;
    subscription: number;
    attempts: number;
    log: readonly DeliveryAttempt[];
  }>;

export type DeliveryQueue = DeliveryPages &
  DeliverySlices &
  Readonly<{
    add(delivery: NewDelivery): void;
    get(id: number): Delivery | null;
    due(subscription: number, nowMs: number, limit: number): Delivery[];
    /** Returns when the earliest delivery of a subscription is due, which may be in the past. */
    nextDueMs(subscription: number, afterMs: number): number | null;
    update(update: DeliveryUpdate): void;
    counts(subscription: number): Partial<Record<DeliveryStatus, number>>;
    /** The highest number of a delivery. 0 when there is none. */
    lastId(): number;
  }>;

/** Changes of many deliveries, a limited number at a time. */
export type DeliverySlices = Readonly<{
  /** Makes some deliveries of a release due at once. Returns the rest of the release. */
  release(
    subscription: number,
    release: SubscriptionRelease,
    step: ReleaseBounds,
  ): SubscriptionRelease | null;
  /**
   * Removes the `limit` oldest deliveries of one status when there are so many more than `kept`.
   */
  trim(subscription: number, status: DeliveryStatus, bounds: TrimBounds): void;
  /** Removes some deliveries of a subscription. Returns whether there were any. */
  clear(subscription: number, limit: number): boolean;
}>;

export type ReleaseBounds = Readonly<{ nowMs: number; limit: number }>;

export type TrimBounds = Readonly<{ kept: number; limit: number }>;

/** The attempts of one delivery that the log keeps: two whole schedules, and some by hand. */
const LOG_LENGTH_MAX = 50;

export function createDeliveryQueue(db: Database): DeliveryQueue {
  const add = db.prepare(
    `INSERT INTO delivery
       (subscription, type, account, body, fault, created_ms, status, due_ms, attempts, attempt_log)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, '[]')`,
  );
  const get = db.prepare('SELECT * FROM delivery WHERE id = ?');
  const due = db.prepare(
    'SELECT * FROM delivery WHERE subscription = ? AND due_ms <= ? ORDER BY due_ms, id LIMIT ?',
  );
  const nextDue = db.prepare(
    'SELECT min(due_ms) AS due_ms FROM delivery WHERE subscription = ? AND due_ms > ?',
  );
  // A removed subscription frees the numbers of its deliveries for new ones, so the subscription
  // must match, too.
  const update = db.prepare(
    `UPDATE delivery SET status = ?, due_ms = ?, attempts = ?, attempt_log = ?, last_ms = ?
     WHERE id = ? AND subscription = ?`,
  );
  const counts = db.prepare('SELECT status, count FROM delivery_count WHERE subscription = ?');
  const lastId = db.prepare('SELECT max(id) AS id FROM delivery');

  return {
    ...createDeliveryPages(db, (id) => rowOrNull(get.get(id), toDelivery)),
    ...createSlices(db),
    add: (each) =>
      void add.run(
        each.subscription,
        each.type,
        each.account,
        each.body,
        each.fault,
        each.createdMs,
        each.status,
        each.dueMs,
      ),
    get: (id) => rowOrNull(get.get(id), toDelivery),
    due: (subscription, nowMs, limit) =>
      (due.all(subscription, nowMs, limit) as DeliveryRow[]).map(toDelivery),
    nextDueMs: (subscription, afterMs) =>
      (nextDue.get(subscription, afterMs) as { due_ms: number | null }).due_ms,
    update({ id, subscription, status, dueMs, attempts, log }) {
      const kept = JSON.stringify(log.slice(-LOG_LENGTH_MAX));
      update.run(status, dueMs, attempts, kept, log.at(-1)?.atMs ?? null, id, subscription);
    },
    counts: (subscription) =>
      Object.fromEntries(
        (counts.all(subscription) as CountRow[])
          .filter(({ count }) => count > 0)
          .map(({ status, count }) => [status, count]),
      ),
    lastId: () => (lastId.get() as { id: number | null }).id ?? 0,
  };
}

/** Changes that are too large for one transaction, in small parts. */
function createSlices(db: Database): DeliverySlices {
  const lastOfSlice = db.prepare(
    `SELECT max(id) AS id FROM (
       SELECT id FROM delivery
       WHERE subscription = ? AND status = ? AND id > ? AND id <= ? ORDER BY id LIMIT ?)`,
  );
  const release = db.prepare(
    `UPDATE delivery SET status = 'WAITING', due_ms = ?, attempts = 0
     WHERE subscription = ? AND status = ? AND id > ? AND id <= ?
       AND (status = 'WAITING' OR last_ms >= ?)`,
  );
  const count = db.prepare(
    'SELECT count FROM delivery_count WHERE subscription = ? AND status = ?',
  );
  const trim = db.prepare(
    `DELETE FROM delivery WHERE id IN (
       SELECT id FROM delivery WHERE subscription = ? AND status = ? ORDER BY id LIMIT ?)`,
  );
  const clear = db.prepare(
    'DELETE FROM delivery WHERE id IN (SELECT id FROM delivery WHERE subscription = ? LIMIT ?)',
  );
  return {
    release(subscription, { status, afterId, toId, failedSinceMs }, { nowMs, limit }) {
      const slice = lastOfSlice.get(subscription, status, afterId, toId, limit);
      const { id } = slice as { id: number | null };
      if (id === null) {
        if (status === 'GIVEN_UP') return null;
        return { status: 'GIVEN_UP', afterId: 0, toId, failedSinceMs };
      }
      release.run(nowMs, subscription, status, afterId, id, failedSinceMs);
      return { status, afterId: id, toId, failedSinceMs };
    },
    trim(subscription, status, { kept, limit }) {
      const row = count.get(subscription, status) as { count: number } | undefined;
      if ((row?.count ?? 0) >= kept + limit) trim.run(subscription, status, limit);
    },
    clear: (subscription, limit) => clear.run(subscription, limit).changes > 0,
  };
}

type CountRow = { status: DeliveryStatus; count: number };

type DeliveryRow = {
  id: number;
  subscription: number;
  type: EventType;
  account: string;
  body: string;
  fault: string | null;
  created_ms: number;
  status: DeliveryStatus;
  due_ms: number | null;
  attempts: number;
  attempt_log: string;
};

const toDelivery = (row: DeliveryRow): Delivery => ({
  id: row.id,
  subscription: row.subscription,
  type: row.type,
  account: row.account,
  body: row.body,
  fault: row.fault,
  createdMs: row.created_ms,
  status: row.status,
  dueMs: row.due_ms,
  attempts: row.attempts,
  log: JSON.parse(row.attempt_log) as DeliveryAttempt[],
});
