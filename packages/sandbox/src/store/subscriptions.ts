import type { EventGroup, EventType } from '@bursar/merchant-api/spec';
import type {
  NewSubscription,
  SubscriptionRelease,
  Subscription,
  SubscriptionTerms,
} from '../core/subscriptions.ts';
import { HEALTHY, type SubscriptionHealth } from '../core/webhooks.ts';
import type { Database } from './database.ts';
import { rowOrNull } from './row.ts';

export type SubscriptionTable = Readonly<{
  /** Returns the stored subscription, enabled and healthy. */
  insert(subscription: NewSubscription): Subscription;
  /**
   * Returns all subscriptions in the order of their creation, including deleted ones that are not
   * removed yet.
   */
  all(): Subscription[];
  byId(id: string): Subscription | null;
  /** Returns the subscriptions of an account, without deleted ones. */
  ofAccount(account: string): Subscription[];
  byRequest(account: string, requestId: string): Subscription | null;
  change(n: number, wanted: SubscriptionTerms): void;
  setEnabled(n: number, enabled: boolean): void;
  setHealth(n: number, health: SubscriptionHealth): void;
  setRelease(n: number, release: SubscriptionRelease | null): void;
  markDeleted(n: number): void;
  /** Removes the row of a deleted subscription. */
  remove(n: number): void;
}>;

export function createSubscriptionTable(db: Database): SubscriptionTable {
  const insert = db.prepare(
    `INSERT INTO subscription VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 0, ?, NULL)`,
  );
  const all = db.prepare('SELECT * FROM subscription ORDER BY n');
  const byId = db.prepare('SELECT * FROM subscription WHERE id = ? AND deleted = 0');
  const ofAccount = db.prepare(
    'SELECT * FROM subscription WHERE account = ? AND deleted = 0 ORDER BY n',
  );
  const byRequest = db.prepare(
    'SELECT * FROM subscription WHERE account = ? AND request_id = ? AND deleted = 0',
  );
  const change = db.prepare('UPDATE subscription SET url = ?, types = ?, groups = ? WHERE n = ?');
  const setEnabled = db.prepare('UPDATE subscription SET enabled = ? WHERE n = ?');
  const setHealth = db.prepare('UPDATE subscription SET health = ? WHERE n = ?');
  const setRelease = db.prepare('UPDATE subscription SET release = ? WHERE n = ?');
  const markDeleted = db.prepare('UPDATE subscription SET deleted = 1 WHERE n = ?');
  const removeCounts = db.prepare('DELETE FROM delivery_count WHERE subscription = ?');
  const remove = db.prepare('DELETE FROM subscription WHERE n = ?');

  return {
    insert(subscription) {
      const n = Number(insert.run(toColumns(subscription)).lastInsertRowid);
      const state = { enabled: true, deleted: false, health: HEALTHY, release: null };
      return { ...subscription, ...state, n };
    },
    all: () => (all.all() as SubscriptionRow[]).map(toSubscription),
    byId: (id) => rowOrNull(byId.get(id), toSubscription),
    ofAccount: (account) => (ofAccount.all(account) as SubscriptionRow[]).map(toSubscription),
    byRequest: (account, requestId) => rowOrNull(byRequest.get(account, requestId), toSubscription),
    change: (n, { url, types, groups }) =>
      void change.run(url, JSON.stringify(types), JSON.stringify(groups), n),
    setEnabled: (n, enabled) => void setEnabled.run(enabled ? 1 : 0, n),
    setHealth: (n, health) => void setHealth.run(JSON.stringify(health), n),
    setRelease: (n, release) => void setRelease.run(release && JSON.stringify(release), n),
    markDeleted: (n) => void markDeleted.run(n),
    remove(n) {
      removeCounts.run(n);
      remove.run(n);
    },
  };
}

type SubscriptionRow = {
  n: number;
  id: string;
  account: string | null;
  request_id: string;
  url: string;
  types: string;
  groups: string;
  public_key: string;
  secret_key: string;
  created_ms: number;
  enabled: number;
  deleted: number;
  health: string;
  release: string | null;
};

const toColumns = (subscription: NewSubscription): unknown[] => [
  subscription.id,
  subscription.account,
  subscription.requestId,
  subscription.url,
  JSON.stringify(subscription.types),
  JSON.stringify(subscription.groups),
  subscription.publicKey,
  subscription.secretKey,
  subscription.createdMs,
  JSON.stringify(HEALTHY),
];

const toSubscription = (row: SubscriptionRow): Subscription => ({
  n: row.n,
  id: row.id,
  requestId: row.request_id,
  account: row.account,
  url: row.url,
  types: JSON.parse(row.types) as EventType[],
  groups: JSON.parse(row.groups) as EventGroup[],
  publicKey: row.public_key,
  secretKey: row.secret_key,
  createdMs: row.created_ms,
  enabled: row.enabled === 1,
  deleted: row.deleted === 1,
  health: JSON.parse(row.health) as SubscriptionHealth,
  release: row.release === null ? null : (JSON.parse(row.release) as SubscriptionRelease),
});
