import type { Delivery } from '../store/delivery.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { EVENT_GROUPS } from '@bursar/merchant-api/spec';
import { Refused } from '../core/refusals.ts';
import { hasSameTerms, type Subscription, type SubscriptionTerms } from '../core/subscriptions.ts';
import type { Modes } from '../core/modes.ts';
import { HEALTHY } from '../core/webhooks.ts';
import type { SandboxStore } from '../store/store.ts';
import { isUrlAllowed } from './addresses.ts';

/** The id of the subscription that comes from the settings. It is the same at every start. */
const SETTINGS_SUBSCRIPTION = 'settings';

/** The terms of a subscription to every event. */
const everything = (url: string): SubscriptionTerms => ({ url, types: [], groups: EVENT_GROUPS });

export type SubscriptionRequest = Readonly<{
  terms: SubscriptionTerms;
  /** Null: the events of every account. */
  account: string | null;
  /** The default is a new id. */
  requestId?: string | undefined;
}>;

/**
 * Changes of subscriptions, by the operations of an account and by the admin API. Call them in a
 * transaction. A change takes effect once it is committed.
 */
export type Subscriptions = Readonly<{
  /**
   * Throws Refused for an address that no webhook may go to, and for a known `requestId` with other
   * terms.
   */
  add(subscription: SubscriptionRequest): Subscription;
  /** Changes the terms of a subscription. Its keys and its health stay. */
  change(subscription: Subscription, terms: SubscriptionTerms): Subscription;
  setEnabled(subscription: Subscription, enabled: boolean): Subscription;
  /**
   * Ends the blocking, and sends every delivery again that failed or was queued since the failures
   * began.
   */
  unblock(subscription: Subscription): Subscription;
  remove(subscription: Subscription): void;
  /** Sends a delivery again, at once and then by a new schedule. */
  resend(delivery: Delivery): void;
  /** Adapts the subscription of the settings to them. Null deletes it. */
  applySettings(url: string | null): void;
}>;

export type SubscriptionsDeps = Readonly<{
  store: SandboxStore;
  allowPrivate: boolean;
  modes: () => Modes;
  nowMs: () => number;
  /** Called once the change of a subscription is committed. */
  onChanged(n: number): void;
  /** Called once a delivery is due again and that is committed. */
  onResend(delivery: Delivery): void;
}>;

export const createSubscriptions = (deps: SubscriptionsDeps): Subscriptions => ({
  add: (asked) => add(deps, asked),
  change: (subscription, terms) => change(deps, subscription, terms),
  setEnabled: (subscription, enabled) => setEnabled(deps, subscription, enabled),
  unblock: (subscription) => unblock(deps, subscription),
  remove({ n }) {
    deps.store.subscriptions.markDeleted(n);
    tellChanged(deps, n);
  },
  resend(delivery) {
    const again = { status: 'WAITING', dueMs: deps.nowMs(), attempts: 0 } as const;
    deps.store.deliveries.update({ ...delivery, ...again });
    deps.store.afterCommit(() => deps.onResend(delivery));
  },
  applySettings: (url) => applySettings(deps, url),
});

const tellChanged = ({ store, onChanged }: SubscriptionsDeps, n: number): void =>
  store.afterCommit(() => onChanged(n));

function demandUrl({ allowPrivate, modes }: SubscriptionsDeps, url: string): void {
  const isAllowed = isUrlAllowed(url, allowPrivate, modes().webhookPortMin);
  if (!isAllowed) throw new Refused('FIELD_INVALID', 'url: is not allowed');
}

function add(deps: SubscriptionsDeps, asked: SubscriptionRequest): Subscription {
  const { terms, account, requestId } = asked;
  demandUrl(deps, terms.url);
  const table = deps.store.subscriptions;
  const isNamed = account !== null && requestId !== undefined;
  const earlier = isNamed ? table.byRequest(account, requestId) : null;
  if (earlier === null) return insert(deps, randomUUID(), asked);
  if (hasSameTerms(earlier, terms)) return earlier;
  throw new Refused('FIELD_INVALID', 'requestId: was used for another subscription');
}

function insert(
  deps: SubscriptionsDeps,
  id: string,
  { terms, account, requestId = randomUUID() }: SubscriptionRequest,
): Subscription {
  const table = deps.store.subscriptions;
  const alive = table.all().filter((each) => each.account === account && !each.deleted);
  const { subscriptionsMax } = deps.modes();
  if (subscriptionsMax !== null && alive.length >= subscriptionsMax) {
    throw new Refused('FIELD_INVALID', `There are ${subscriptionsMax} subscriptions already.`);
  }
  const keys = { publicKey: randomUUID(), secretKey: randomBytes(32).toString('hex') };
  const names = { id, account, requestId };
  const inserted = table.insert({ ...terms, ...keys, ...names, createdMs: deps.nowMs() });
  tellChanged(deps, inserted.n);
  return inserted;
}

function change(
  deps: SubscriptionsDeps,
  subscription: Subscription,
  terms: SubscriptionTerms,
): Subscription {
  demandUrl(deps, terms.url);
  deps.store.subscriptions.change(subscription.n, terms);
  tellChanged(deps, subscription.n);
  return { ...subscription, ...terms };
}

function setEnabled(
  deps: SubscriptionsDeps,
  subscription: Subscription,
  enabled: boolean,
): Subscription {
  deps.store.subscriptions.setEnabled(subscription.n, enabled);
  tellChanged(deps, subscription.n);
  return { ...subscription, enabled };
}

/**
 * ASSUMED: the spec does not show the counts after an unblocking. Here they start again at 0, and
 * so does the schedule of every webhook that is sent again.
 */
function unblock(deps: SubscriptionsDeps, subscription: Subscription): Subscription {
  const { n, health } = subscription;
  if (!health.blocked) return subscription;
  const release = {
    status: 'WAITING',
    afterId: 0,
    toId: deps.store.deliveries.lastId(),
    failedSinceMs: health.errorFirstMs ?? deps.nowMs(),
  } as const;
  deps.store.subscriptions.setHealth(n, HEALTHY);
  deps.store.subscriptions.setRelease(n, release);
  tellChanged(deps, n);
  return { ...subscription, health: HEALTHY, release };
}

function applySettings(deps: SubscriptionsDeps, url: string | null): void {
  const known = deps.store.subscriptions.byId(SETTINGS_SUBSCRIPTION);
  if (known === null) {
    const asked = url === null ? null : { terms: everything(url), account: null };
    if (asked !== null) insert(deps, SETTINGS_SUBSCRIPTION, asked);
    return;
  }
  if (url !== null) change(deps, known, { ...known, url });
  setEnabled(deps, known, url !== null);
}
