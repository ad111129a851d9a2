import type { NotifiableEvent } from '../../domain/notify/events.ts';
import type { TakenDelivery } from '../../store/housekeeping/notifications.ts';
import { deliverDue } from '../notifications/deliver.ts';
import { notify, type NotifyDeps } from '../notifications/notify.ts';
import type { HousekeepingTask } from './task.ts';

/** Deliveries that are tried at once; the others wait for the next run, so that slow targets hold up nothing else. */
const DELIVERIES_PER_ROUND = 40;

/** Repeats notifications that were not delivered. One that is given up becomes an event for the other targets. */
export const createDeliveryCheck = (deps: NotifyDeps): HousekeepingTask => ({
  name: 'notifications',
  async run() {
    const { delivered, failed, givenUp } = await deliverDue(deps, { limit: DELIVERIES_PER_ROUND });
    for (const delivery of givenUp) {
      // Otherwise a target that is gone for good would cause events without end.
      if (delivery.event !== 'notify.given_up') await notify(deps, givenUpNews(delivery));
    }
    if (delivered + failed === 0) return 'nothing waits';
    return `${delivered} delivered, ${failed} not`;
  },
});

const givenUpNews = ({ id, event, target, batchId, attempts }: TakenDelivery): NotifiableEvent => ({
  event: 'notify.given_up',
  batchId,
  key: `${id}/${target}`,
  data: { notification: id, of: event, target, attempts },
});
