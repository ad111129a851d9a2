import type { DeliveryStatus } from '../../store/delivery.ts';
import { isActive, type Subscription } from '../../core/subscriptions.ts';
import type { DeliveryQueue } from '../../store/deliveries.ts';
import type { AdminValue } from './route.ts';

/** HELD is what waits for a subscription to which nothing is sent now. */
export type ShownStatus = DeliveryStatus | 'HELD';

export const shownStatus = (status: DeliveryStatus, isSent: boolean): ShownStatus =>
  status === 'WAITING' && !isSent ? 'HELD' : status;

export function subscriptionRecord(
  subscription: Subscription,
  queue: Pick<DeliveryQueue, 'counts'>,
): AdminValue {
  const { health, types, groups } = subscription;
  return {
    id: subscription.id,
    requestId: subscription.requestId,
    account: subscription.account,
    url: subscription.url,
    notificationEventTypes: types,
    notificationServiceTypes: groups,
    publicKey: subscription.publicKey,
    enabled: subscription.enabled,
    createdDate: dateOf(subscription.createdMs),
    blockedByErrorCount: health.blocked,
    errorCount: health.errorCount,
    errorFirstDate: dateOf(health.errorFirstMs),
    errorLastDate: dateOf(health.errorLastMs),
    deliveries: countsOf(subscription, queue),
  };
}

export const dateOf = (atMs: number | null): string | null =>
  atMs === null ? null : new Date(atMs).toISOString();

function countsOf(
  subscription: Subscription,
  queue: Pick<DeliveryQueue, 'counts'>,
): Partial<Record<ShownStatus, number>> {
  const isSent = isActive(subscription);
  return Object.fromEntries(
    Object.entries(queue.counts(subscription.n)).map(([status, count]) => [
      shownStatus(status as DeliveryStatus, isSent),
      count,
    ]),
  );
}
