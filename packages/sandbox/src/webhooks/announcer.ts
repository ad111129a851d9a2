import type { SandboxEvent } from '../core/events.ts';
import { type DrawWebhookFault, type PlannedCopy, planCopies } from '../core/webhook-faults.ts';
import { type BodyModes, eventBody } from '../core/webhook-message.ts';
import type { NewDelivery } from '../store/delivery.ts';
import type { SubscriptionRegistry } from './registry.ts';

export type Announcer = Readonly<{
  /**
   * Queues the webhooks of an event. Call it in the transaction of the event. Returns how many
   * subscriptions get it.
   */
  announce(event: SandboxEvent): number;
}>;

export type AnnouncerDeps = Readonly<{
  registry: SubscriptionRegistry;
  drawFault: DrawWebhookFault;
  modes: () => BodyModes;
  nowMs: () => number;
  publish(event: SandboxEvent): void;
  addDelivery(delivery: NewDelivery): void;
  /** Called with the due time of each new delivery. */
  onQueued(subscription: number, dueMs: number): void;
}>;

export function createAnnouncer(deps: AnnouncerDeps): Announcer {
  const { registry, drawFault, modes, nowMs, publish, addDelivery, onQueued } = deps;

  /** Builds the common parts of a delivery once for all subscriptions. */
  function queueCopies(event: SandboxEvent, receivers: readonly number[]): void {
    const createdMs = nowMs();
    const { type, account } = event;
    const common = { type, account, body: eventBody(event, modes()), createdMs };
    for (const copy of planCopies(drawFault)) {
      const due = dueOf(copy, createdMs);
      for (const subscription of receivers) {
        addDelivery({ ...common, ...due, fault: copy.fault, subscription });
        onQueued(subscription, due.dueMs ?? createdMs);
      }
    }
  }

  return {
    announce(event) {
      publish(event);
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
