import type { NotifyActivities } from '../../contract/housekeeping.ts';
import { BursarError } from '../../domain/errors/bursar-error.ts';
import { type News, NOTIFY_EVENTS } from '../../domain/notify/events.ts';
import { notificationOf, type Teller } from '../../domain/notify/notification.ts';
import { atBoundary } from '../shared/boundary.ts';
import { type DeliverDeps, deliverDue } from './deliver.ts';

export type TellDeps = DeliverDeps & Readonly<{ teller: Teller }>;

/** Deliveries of one notification that are tried at once; there are no more targets in any house. */
const TARGETS_MAX = 100;

export const createNotifyActivities = (deps: TellDeps): NotifyActivities => ({
  tell: (news) => atBoundary(() => tell(deps, news)),
});

/**
 * Stores an event, once for each key, and tries each target once. A target that cannot be reached is no failure:
 * housekeeping repeats the stored delivery. A stored event is not stored again, but tried if it is due.
 */
export async function tell(deps: TellDeps, news: News): Promise<void> {
  const { store, targets, teller, nowMs } = deps;
  if (!Object.hasOwn(NOTIFY_EVENTS, news.event)) {
    throw new BursarError('INPUT_INVALID', { activity: 'tell', problem: 'there is no such event' });
  }
  const atMs = nowMs();
  const notification = notificationOf(news, teller, new Date(atMs).toISOString());
  const wanting = targets.filter(
    ({ events }) => events.length === 0 || events.includes(news.event),
  );
  await store.notifications.put(notification, {
    targets: wanting.map(({ name }) => name),
    atMs,
  });
  await deliverDue(deps, { id: notification.id, limit: TARGETS_MAX });
}
