import type { Delivery } from '../store/delivery.ts';
import {
  createSubscriptionSender,
  type SubscriptionSender,
  type SubscriptionSenderDeps,
} from './subscription-sender.ts';
import type { SubscriptionRegistry } from './registry.ts';

export type WebhookSender = Readonly<{
  /** Sends the delivery of a subscription that is due at `dueMs` when that time comes. */
  expect(subscription: number, dueMs: number): void;
  /** Sends a delivery that a person made due again, even if an attempt is under way. */
  resend(delivery: Delivery): void;
  /** Sends everything that is due, after a restart for example. */
  wakeAll(): void;
  /** Resolves when the answers to the attempts under way are stored. */
  settled(): Promise<void>;
  close(): Promise<void>;
}>;

export type WebhookSenderDeps = SubscriptionSenderDeps &
  Readonly<{ registry: SubscriptionRegistry }>;

/**
 * Sends queued deliveries when they are due, and repeats them by the retry schedule. Spec:
 * "Events".
 */
export function createWebhookSender(deps: WebhookSenderDeps): WebhookSender {
  const senders = new Map<number, SubscriptionSender>();
  let closed = false;

  function senderOf(n: number): SubscriptionSender {
    const sender =
      senders.get(n) ??
      createSubscriptionSender(deps, { n, onCleared: () => void senders.delete(n) });
    senders.set(n, sender);
    return sender;
  }

  function expect(subscription: number, dueMs: number): void {
    // Deliveries that are queued while the sandbox closes wait in the store for the next start.
    if (!closed) senderOf(subscription).expect(dueMs);
  }

  return {
    expect,
    resend({ id, subscription }) {
      if (!closed) senderOf(subscription).resend(id);
    },
    wakeAll() {
      for (const { n } of deps.registry.all()) expect(n, deps.clock.nowMs());
    },
    async settled() {
      await Promise.all([...senders.values()].map((sender) => sender.settled()));
    },
    async close() {
      closed = true;
      await Promise.all([...senders.values()].map((sender) => sender.close()));
    },
  };
}
