import { z } from 'zod';
import type { AdminAnswer } from '../../admin/index.ts';
import { EVENT_GROUPS } from '@bursar/merchant-api/spec';
import { Refused } from '../../core/refusals.ts';
import type { Subscription } from '../../core/subscriptions.ts';
import type { SandboxStore } from '../../store/store.ts';
import type { SubscriptionRegistry } from '../../webhooks/registry.ts';
import type { Subscriptions } from '../../webhooks/subscriptions.ts';
import { EventGroups, EventTypes, ReceiverUrl, wantedOf } from '../webhook-channel.ts';
import { type AdminRoute, adminRoute, Nothing } from './route.ts';
import { subscriptionRecord } from './subscription-record.ts';

export type WebhookRoutesDeps = Readonly<{
  store: SandboxStore;
  registry: SubscriptionRegistry;
  subscriptions: Subscriptions;
  accounts: readonly string[];
}>;

/** Subscriptions, and what a person does with them in the interface of the service. */
export const webhookRoutes = (deps: WebhookRoutesDeps): readonly AdminRoute[] => [
  listRoute(deps),
  addRoute(deps),
  deleteRoute(deps),
  actRoute(deps, 'enable', (each) => deps.subscriptions.setEnabled(each, true)),
  actRoute(deps, 'disable', (each) => deps.subscriptions.setEnabled(each, false)),
  actRoute(deps, 'unblock', deps.subscriptions.unblock),
];

/** Every subscription, how it fares, and how many of its deliveries are in which status. */
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
 * Adds a subscription: without `account` to the events of every account, without types and groups
 * to all events. Only this answer tells the secret key.
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
      const wanted = wantedOf(isEverything ? all : asked);
      const added = store.transaction(() => subscriptions.add({ wanted, account }));
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

const actRoute = (
  { store }: WebhookRoutesDeps,
  name: 'enable' | 'disable' | 'unblock',
  act: (subscription: Subscription) => Subscription,
) =>
  adminRoute({
    endpoint: `POST /webhooks/${name}`,
    input: Id,
    answer: ({ id }) => {
      const changed = store.transaction(() => act(find(store, id)));
      return subscriptionRecord(changed, store.deliveries);
    },
  });

function find({ subscriptions }: SandboxStore, id: string): Subscription {
  const found = subscriptions.byId(id);
  if (found === null) throw new Refused('NOT_FOUND');
  return found;
}
