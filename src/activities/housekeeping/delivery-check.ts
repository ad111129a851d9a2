import { deliverDue } from '../notifications/deliver.ts';
import { notifyGivenUp, type NotifyDeps } from '../notifications/notify.ts';
import type { HousekeepingTask } from './task.ts';

/** Deliveries that are tried at once; the others wait for the next run, so that slow targets hold up nothing else. */
const DELIVERIES_PER_ROUND = 40;

/** Repeats notifications that were not delivered. One that is given up becomes an event for the other targets. */
export const createDeliveryCheck = (deps: NotifyDeps): HousekeepingTask => ({
  name: 'notifications',
  async run() {
    const { delivered, failed, givenUp } = await deliverDue(deps, { limit: DELIVERIES_PER_ROUND });
    await notifyGivenUp(deps, givenUp);
    if (delivered + failed === 0) return 'nothing waits';
    return `${delivered} delivered, ${failed} not`;
  },
});
