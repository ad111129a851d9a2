import { ActivityFailure, CancellationScope, log } from '@temporalio/workflow';
import type { NotifiableEvent } from '../../domain/notify/events.ts';
import { tell } from './activities.ts';

/** Notifications that are being recorded. */
export type Notifier = Readonly<{ underWay: Set<Promise<void>> }>;

export const openNotifier = (): Notifier => ({ underWay: new Set() });

/**
 * Has people notified without a wait: a slow target, or a store that cannot be written, never keeps a batch from its work, and
 * never makes it fail.
 */
export function notify({ underWay }: Notifier, event: NotifiableEvent): void {
  const recording = record(event).finally(() => underWay.delete(recording));
  underWay.add(recording);
}

/** Resolves when every notification so far is recorded, or given up. */
export async function untilNotified({ underWay }: Notifier): Promise<void> {
  await Promise.all(underWay);
}

/** Handlers run in the workflow's own scope, which may have been canceled: people are still notified. */
async function record(event: NotifiableEvent): Promise<void> {
  try {
    await CancellationScope.nonCancellable(() => tell(event));
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    const why = error.cause?.message ?? error.message;
    log.warn('a notification could not be recorded', { event: event.event, key: event.key, why });
  }
}
