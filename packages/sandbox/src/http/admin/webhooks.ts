import { z } from 'zod';
import type { AdminAnswer } from '../../admin/index.ts';
import { EVENT_GROUPS } from '@bursar/merchant-api/spec';
import { Refused } from '../../core/refusals.ts';
import type { Subscription } from '../../core/subscriptions.ts';
import type { SandboxStore } from '../../store/store.ts';
import type { SubscriptionRegistry } from '../../webhooks/registry.ts';
import type { Subscriptions } from '../../webhooks/subscriptions.ts';
import { EventGroups, EventTypes, ReceiverUrl, termsOf } from '../webhook-channel.ts';
import { type AdminRoute, adminRoute, Nothing } from './route.ts';
import { subscriptionRecord } from './subscription-record.ts';

export type WebhookRoutesDeps = Readonly<{
  store: SandboxStore;
  registry: SubscriptionRegistry;
  subscriptions: Subscriptions;
  accounts: readonly string[];
}>;

/**
 * /sandbox/webhooks: subscriptions, and the actions of a person on them in the service's interface.
 */
export const webhookRoutes = (deps: WebhookRoutesDeps): readonly AdminRoute[] => [
  listRoute(deps),
  addRoute(deps),
  deleteRoute(deps),
  actionRoute(deps, 'enable', (each) => deps.subscriptions.setEnabled(each, true)),
  actionRoute(deps, 'disable', (each) => deps.subscriptions.setEnabled(each, false)),
  actionRoute(deps, 'unblock', deps.subscriptions.unblock),
];

/** Every subscription with its health and the number of its deliveries in each status. */
const listRoute = ({ store, registry }: WebhookRoutesDeps) =>
  adminRoute({
    endpoint: 'GET /webhooks',
    input: Nothing,
    answer: (): AdminAnswer<'GET /webhooks'> => ({
      subscriptions: registry
        .all()
        .filter(({ deleted }) => !deleted)
        .map((each) => subscriptionRecord(each, store.deliveries)),
    }),
  });

/**
 * Adds a subscription. Without `account` it covers every account, and without types and groups all
 * events. Only this answer contains the secret key.
 */
const addRoute = ({ store, subscriptions, accounts }: WebhookRoutesDeps) =>
  adminRoute({
    endpoint: 'POST /webhooks',
    input: z.strictObject({
      url: ReceiverUrl,
      account: z.enum(accounts as [string, ...string[]]).optional(),
      notificationEventTypes: EventTypes.optional(),
      notificationServiceTypes: EventGroups.optional(),
    }),
    answer: ({ account = null, ...asked }): AdminAnswer<'POST /webhooks'> => {
      const { notificationEventTypes: types, notificationServiceTypes: groups } = asked;
      const isEverything = types === undefined && groups === undefined;
      const all = { ...asked, notificationServiceTypes: [...EVENT_GROUPS] };
      const terms = termsOf(isEverything ? all : asked);
      const added = store.transaction(() => subscriptions.add({ terms, account }));
      return { ...subscriptionRecord(added, store.deliveries), secretKey: added.secretKey };
    },
  });

const Id = z.strictObject({ id: z.string().max(100) });

const deleteRoute = ({ store, subscriptions }: WebhookRoutesDeps) =>
  adminRoute({
    endpoint: 'DELETE /webhooks',
    input: Id,
    answer: ({ id }): AdminAnswer<'DELETE /webhooks'> => {
      store.transaction(() => subscriptions.remove(find(store, id)));
      return { id };
    },
  });

const actionRoute = (
  { store }: WebhookRoutesDeps,
  name: 'enable' | 'disable' | 'unblock',
  change: (subscription: Subscription) => Subscription,
) =>
  adminRoute({
    endpoint: `POST /webhooks/${name}`,
    input: Id,
    answer: ({ id }) => {
      const changed = store.transaction(() => change(find(store, id)));
      return subscriptionRecord(changed, store.deliveries);
    },
  });

function find({ subscriptions }: SandboxStore, id: string): Subscription {
  const found = subscriptions.byId(id);
  if (found === null) throw new Refused('NOT_FOUND');
  return found;
}
