import type { SandboxEvent } from '../core/events.ts';
import { type DrawWebhookFault, type PlannedCopy, planCopies } from '../core/webhook-faults.ts';
import { type BodyModes, eventBody } from '../core/webhook-message.ts';
import type { NewDelivery } from '../store/delivery.ts';
import type { Registry } from './registry.ts';

export type Announcer = Readonly<{
  /**
   * Queues the webhooks of an event; called in the transaction in which it happens. Returns how
   * many subscriptions get it.
   */
  announce(event: SandboxEvent): number;
}>;

export type AnnouncerDeps = Readonly<{
  registry: Registry;
  drawFault: DrawWebhookFault;
  modes: () => BodyModes;
  nowMs: () => number;
  publish(event: SandboxEvent): void;
  addDelivery(delivery: NewDelivery): void;
  /** Called when something was queued for a subscription that is due at this time. */
  onQueued(subscription: number, dueMs: number): void;
}>;

export function createAnnouncer(deps: AnnouncerDeps): Announcer {
  const { registry, drawFault, modes, nowMs, publish, addDelivery, onQueued } = deps;

  /** What is the same for every subscription is made once. */
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
