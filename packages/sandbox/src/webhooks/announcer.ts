import type { SandboxClock } from '../clock.ts';
import type { SandboxEvent } from '../core/events.ts';
import { type PlannedCopy, planCopies } from '../core/webhook-faults.ts';
import { type BodyModes, eventBody } from '../core/webhook-message.ts';
import type { Faults } from '../faults.ts';
import type { DeliveryQueue } from '../store/deliveries.ts';
import type { Feed } from './feed.ts';
import type { Registry } from './registry.ts';

export type Announcer = Readonly<{
  /**
   * Queues the webhooks of an event; called in the transaction in which it happens. Returns how
   * many subscriptions get it.
   */
  announce(event: SandboxEvent): number;
}>;

export type AnnouncerDeps = Readonly<{
  registry: Pick<Registry, 'receiversOf'>;
  queue: Pick<DeliveryQueue, 'add'>;
  feed: Pick<Feed, 'publish'>;
  faults: Pick<Faults, 'draw'>;
  modes: () => BodyModes;
  clock: Pick<SandboxClock, 'nowMs'>;
  /** Called when something was queued for a subscription that is due at this time. */
  onQueued(subscription: number, dueMs: number): void;
}>;

export function createAnnouncer(deps: AnnouncerDeps): Announcer {
  const { registry, queue, feed, faults, modes, clock, onQueued } = deps;

  /** What is the same for every subscription is made once. */
  function queueCopies(event: SandboxEvent, receivers: readonly number[]): void {
    const createdMs = clock.nowMs();
    const { type, account } = event;
    const common = { type, account, body: eventBody(event, modes()), createdMs };
    for (const copy of planCopies((kind) => faults.draw('WEBHOOK', kind))) {
      const due = dueOf(copy, createdMs);
      for (const subscription of receivers) {
        queue.add({ ...common, ...due, fault: copy.fault, subscription });
        onQueued(subscription, due.dueMs ?? createdMs);
      }
    }
  }

  return {
    announce(event) {
      feed.publish(event);
      const receivers = registry.receiversOf(event).map(({ n }) => n);
      if (receivers.length > 0) queueCopies(event, receivers);
      return receivers.length;
    },
  };
}

const dueOf = ({ delayMs }: PlannedCopy, nowMs: number) =>
  delayMs === null
    ? ({ status: 'DROPPED', dueMs: null } as const)
    : ({ status: 'WAITING', dueMs: nowMs + delayMs } as const);
