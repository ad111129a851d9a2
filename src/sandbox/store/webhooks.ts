import { HEALTHY, type SubscriptionHealth } from '../core/webhooks.ts';
import type { Database } from './database.ts';

export type Subscription = Readonly<{
  id: string;
  url: string;
  publicKey: string;
  secretKey: string;
  createdMs: number;
  enabled: boolean;
  health: SubscriptionHealth;
}>;

export type NewSubscription = Omit<Subscription, 'enabled' | 'health'>;

/** HELD waits for its subscription to be unblocked; GIVEN_UP has had its last retry. */
export type DeliveryStatus = 'WAITING' | 'DELIVERED' | 'GIVEN_UP' | 'HELD';

/** One webhook of one event to one subscription. */
export type Delivery = Readonly<{
  id: number;
  subscription: string;
  body: string;
  attempts: number;
  dueMs: number;
}>;

export type NewDelivery = Readonly<{
  subscription: string;
  body: string;
  createdMs: number;
  /** Null for a subscription that is blocked. */
  dueMs: number | null;
}>;

export type DeliveryUpdate = Readonly<{
  id: number;
  attempts: number;
  dueMs: number | null;
  status: DeliveryStatus;
}>;

export type WebhookQueue = Readonly<{
  /** Adds a subscription, or gives the one of this id the new address. */
  subscribe(subscription: NewSubscription): void;
  /** Ends a subscription; what still waits for it is kept back. */
  disable(id: string): void;
  subscriptions(): Subscription[];
  setHealth(id: string, health: SubscriptionHealth): void;
  /** Keeps back everything that still waits for a subscription. */
  hold(id: string): void;
  add(delivery: NewDelivery): void;
  due(nowMs: number, limit: number): Delivery[];
  /** The earliest due time after `nowMs`. */
  nextDueMs(nowMs: number): number | null;
  update(update: DeliveryUpdate): void;
  counts(subscription: string): Partial<Record<DeliveryStatus, number>>;
}>;

export function createWebhookQueue(db: Database): WebhookQueue {
  const subscribe = db.prepare(
    `INSERT INTO subscription VALUES (?, ?, ?, ?, ?, 1, ?)
     ON CONFLICT (id) DO UPDATE SET url = excluded.url, enabled = 1`,
  );
  const disable = db.prepare('UPDATE subscription SET enabled = 0 WHERE id = ?');
  const list = db.prepare('SELECT * FROM subscription ORDER BY created_ms, id');
  const setHealth = db.prepare('UPDATE subscription SET health = ? WHERE id = ?');
  const hold = db.prepare(
    `UPDATE delivery SET status = 'HELD', due_ms = NULL
     WHERE subscription = ? AND status = 'WAITING'`,
  );
  const add = db.prepare(
    `INSERT INTO delivery (subscription, body, created_ms, attempts, due_ms, status)
     VALUES (?, ?, ?, 0, ?, ?)`,
  );
  const due = db.prepare('SELECT * FROM delivery WHERE due_ms <= ? ORDER BY due_ms, id LIMIT ?');
  const nextDue = db.prepare('SELECT min(due_ms) AS due_ms FROM delivery WHERE due_ms > ?');
  const update = db.prepare(
    'UPDATE delivery SET attempts = ?, due_ms = ?, status = ? WHERE id = ?',
  );
  const counts = db.prepare(
    'SELECT status, count(*) AS count FROM delivery WHERE subscription = ? GROUP BY status',
  );

  return {
    subscribe: ({ id, url, publicKey, secretKey, createdMs }) =>
      void subscribe.run(id, url, publicKey, secretKey, createdMs, JSON.stringify(HEALTHY)),
    disable(id) {
      disable.run(id);
      hold.run(id);
    },
    subscriptions: () => (list.all() as SubscriptionRow[]).map(toSubscription),
    setHealth: (id, health) => void setHealth.run(JSON.stringify(health), id),
    hold: (id) => void hold.run(id),
    add: ({ subscription, body, createdMs, dueMs }) =>
      void add.run(subscription, body, createdMs, dueMs, dueMs === null ? 'HELD' : 'WAITING'),
    due: (nowMs, limit) => (due.all(nowMs, limit) as DeliveryRow[]).map(toDelivery),
    nextDueMs: (nowMs) => (nextDue.get(nowMs) as { due_ms: number | null }).due_ms,
    update: ({ id, attempts, dueMs, status }) => void update.run(attempts, dueMs, status, id),
    counts: (subscription) =>
      Object.fromEntries(
        (counts.all(subscription) as { status: DeliveryStatus; count: number }[]).map((row) => [
          row.status,
          row.count,
        ]),
      ),
  };
}

type SubscriptionRow = {
  id: string;
  url: string;
  public_key: string;
  secret_key: string;
  created_ms: number;
  enabled: number;
  health: string;
};
type DeliveryRow = {
  id: number;
  subscription: string;
  body: string;
  attempts: number;
  due_ms: number;
};

const toSubscription = (row: SubscriptionRow): Subscription => ({
  id: row.id,
  url: row.url,
  publicKey: row.public_key,
  secretKey: row.secret_key,
  createdMs: row.created_ms,
  enabled: row.enabled === 1,
  health: JSON.parse(row.health) as SubscriptionHealth,
});

const toDelivery = (row: DeliveryRow): Delivery => ({
  id: row.id,
  subscription: row.subscription,
  body: row.body,
  attempts: row.attempts,
  dueMs: row.due_ms,
});
