import type { NotifyActivities } from '../../contract/housekeeping.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { type NotifiableEvent, NOTIFY_EVENTS } from '../../domain/notify/events.ts';
import { notificationOf, type NotificationSender } from '../../domain/notify/notification.ts';
import type { TakenDelivery } from '../../store/housekeeping/notifications.ts';
import { atBoundary } from '../shared/boundary.ts';
import { type DeliverDeps, deliverDue } from './deliver.ts';

export type NotifyDeps = DeliverDeps & Readonly<{ sender: NotificationSender }>;

/** Deliveries of one notification that are tried at once; there are no more targets in any house. */
const TARGETS_MAX = 100;

export const createNotifyActivities = (deps: NotifyDeps): NotifyActivities => ({
  tell: (news) => atBoundary(() => notify(deps, news)),
});

/**
 * Stores an event, once for each key, and tries each target once. A target that cannot be reached is no failure:
 * housekeeping repeats the stored delivery. A stored event is not stored again, but tried if it is due.
 */
export async function notify(deps: NotifyDeps, news: NotifiableEvent): Promise<void> {
  const { store, targets, sender, nowMs } = deps;
  if (!Object.hasOwn(NOTIFY_EVENTS, news.event)) {
    throw new BursarError('INPUT_INVALID', { activity: 'tell', problem: 'there is no such event' });
  }
  const atMs = nowMs();
  const notification = notificationOf(news, sender, new Date(atMs).toISOString());
  const wanting = targets.filter(
    ({ events }) => events.length === 0 || events.includes(news.event),
  );
  await store.notifications.put(notification, {
    targets: wanting.map(({ name }) => name),
    atMs,
  });
  const { givenUp } = await deliverDue(deps, { id: notification.id, limit: TARGETS_MAX });
  await notifyGivenUp(deps, givenUp);
}

/** Deliveries that are given up become events for the other targets. */
export async function notifyGivenUp(
  deps: NotifyDeps,
  givenUp: readonly TakenDelivery[],
): Promise<void> {
  for (const { id, event, target, batchId, attempts } of givenUp) {
    // Otherwise a target that is gone for good would cause events without end.
    if (event === 'notify.given_up') continue;
    const data = { notification: id, of: event, target, attempts };
    await notify(deps, { event: 'notify.given_up', batchId, key: `${id}/${target}`, data });
  }
}
