import type { AdminDeliveryStatus, AdminSubscription } from '../../admin/index.ts';
import type { DeliveryStatus } from '../../store/delivery.ts';
import { isActive, type Subscription } from '../../core/subscriptions.ts';
import type { DeliveryQueue } from '../../store/deliveries.ts';
import { isoTime, isoTimeOrNull } from './times.ts';

export const shownStatus = (status: DeliveryStatus, isSent: boolean): AdminDeliveryStatus =>
  status === 'WAITING' && !isSent ? 'HELD' : status;

export function subscriptionRecord(
  subscription: Subscription,
  queue: DeliveryQueue,
): AdminSubscription {
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
    createdDate: isoTime(subscription.createdMs),
    blockedByErrorCount: health.blocked,
    errorCount: health.errorCount,
    errorFirstDate: isoTimeOrNull(health.errorFirstMs),
    errorLastDate: isoTimeOrNull(health.errorLastMs),
    deliveries: countsOf(subscription, queue),
  };
}

function countsOf(
  subscription: Subscription,
  queue: DeliveryQueue,
): Partial<Record<AdminDeliveryStatus, number>> {
  const isSent = isActive(subscription);
  return Object.fromEntries(
    Object.entries(queue.counts(subscription.n)).map(([status, count]) => [
      shownStatus(status as DeliveryStatus, isSent),
      count,
    ]),
  );
}
