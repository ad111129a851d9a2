import type { AdminAnswer, AdminDelivery, AdminDeliveryStatus } from '../../admin/index.ts';
import { type Delivery, DELIVERY_STATUSES, type DeliveryStatus } from '../../store/delivery.ts';
import { z } from 'zod';
import { Refused } from '../../core/refusals.ts';
import { isActive, type Subscription } from '../../core/subscriptions.ts';
import type { DeliveryPage } from '../../store/delivery-pages.ts';
import type { SandboxStore } from '../../store/store.ts';
import type { SubscriptionRegistry } from '../../webhooks/registry.ts';
import type { Subscriptions } from '../../webhooks/subscriptions.ts';
import { type AdminRoute, adminRoute } from './route.ts';
import { shownStatus } from './subscription-record.ts';
import { isoTime, isoTimeOrNull } from './times.ts';

export type DeliveryRoutesDeps = Readonly<{
  store: SandboxStore;
  registry: SubscriptionRegistry;
  subscriptions: Subscriptions;
}>;

/** /sandbox/deliveries: webhooks that were sent or wait. */
export const deliveryRoutes = (deps: DeliveryRoutesDeps): readonly AdminRoute[] => [
  listRoute(deps),
  resendRoute(deps),
];

const Query = z.strictObject({
  subscription: z.string().max(100).optional(),
  status: z.enum([...DELIVERY_STATUSES, 'HELD']).optional(),
  order: z.enum(['oldest', 'newest']).default('oldest'),
  after: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
});

/** A page of deliveries with their bodies and every attempt. */
const listRoute = ({ store, registry }: DeliveryRoutesDeps) =>
  adminRoute({
    endpoint: 'GET /deliveries',
    input: Query,
    answer: ({
      subscription: id,
      status,
      order,
      after = null,
      limit,
    }): AdminAnswer<'GET /deliveries'> => {
      const subscriptions = registry
        .all()
        .filter((each) => !each.deleted && (id === undefined || each.id === id));
      const filter = filterOf(subscriptions, status);
      const page = store.deliveries.page({ filter, order, after, limit });
      return {
        deliveries: page.flatMap((each) => {
          const subscription = registry.get(each.subscription);
          return subscription === undefined ? [] : deliveryRecord(each, subscription);
        }),
        next: page.length === limit ? (page.at(-1)?.id ?? null) : null,
      };
    },
  });

/**
 * A delivery that the store has as WAITING is shown as HELD while its subscription is disabled or
 * blocked.
 */
const filterOf = (
  subscriptions: readonly Subscription[],
  wanted: AdminDeliveryStatus | undefined,
): DeliveryPage['filter'] =>
  subscriptions.map((subscription) => {
    const isSent = isActive(subscription);
    const isWanted = (status: DeliveryStatus): boolean =>
      wanted === undefined || shownStatus(status, isSent) === wanted;
    return { subscription: subscription.n, statuses: DELIVERY_STATUSES.filter(isWanted) };
  });

/** Sends one delivery again, in any status. */
const resendRoute = ({ store, registry, subscriptions }: DeliveryRoutesDeps) =>
  adminRoute({
    endpoint: 'POST /deliveries/resend',
    input: z.strictObject({ id: z.int().min(1) }),
    answer: ({ id }): AdminAnswer<'POST /deliveries/resend'> => {
      const before = store.deliveries.get(id);
      const subscription = before === null ? undefined : registry.get(before.subscription);
      if (before === null || subscription === undefined || subscription.deleted) {
        throw new Refused('NOT_FOUND');
      }
      store.transaction(() => subscriptions.resend(before));
      return deliveryRecord(store.deliveries.get(id) ?? before, subscription);
    },
  });

function deliveryRecord(delivery: Delivery, subscription: Subscription): AdminDelivery {
  const { id, type, account, body, fault } = delivery;
  return {
    id,
    subscription: subscription.id,
    type,
    account,
    body,
    fault,
    status: shownStatus(delivery.status, isActive(subscription)),
    createdDate: isoTime(delivery.createdMs),
    nextDate: isActive(subscription) ? isoTimeOrNull(delivery.dueMs) : null,
    attempts: delivery.log.map(({ atMs, status, reason }) => ({
      time: isoTime(atMs),
      status,
      reason,
    })),
  };
}
