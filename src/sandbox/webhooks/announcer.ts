import type { Clock } from '../clock.ts';
import type { SandboxEvent } from '../core/events.ts';
import { random } from '../core/random.ts';
import { eventBody } from '../core/webhooks.ts';
import type { Faults } from '../faults.ts';
import type { WebhookQueue } from '../store/webhooks.ts';

export type Announcer = Readonly<{
  /** Queues the webhooks of an event; called in the transaction in which it happens. */
  announce(event: SandboxEvent): void;
}>;

export type AnnouncerDeps = Readonly<{
  queue: Pick<WebhookQueue, 'subscriptions' | 'add'>;
  faults: Pick<Faults, 'draw'>;
  clock: Pick<Clock, 'nowMs'>;
  /** Called when something was queued that is due at this time. */
  onQueued(dueMs: number): void;
}>;

export function createAnnouncer({ queue, faults, clock, onQueued }: AnnouncerDeps): Announcer {
  return {
    announce(event) {
      const subscriptions = queue.subscriptions().filter(({ enabled }) => enabled);
      if (subscriptions.length === 0) return;
      const createdMs = clock.nowMs();
      const body = eventBody(event);
      for (const delayMs of plannedDelaysMs(faults)) {
        for (const { id, health } of subscriptions) {
          const dueMs = health.blocked ? null : createdMs + delayMs;
          queue.add({ subscription: id, body, createdMs, dueMs });
        }
        onQueued(createdMs + delayMs);
      }
    },
  };
}

/** One delay for each copy of the event's webhooks; without faults one copy at once. */
function plannedDelaysMs(faults: Pick<Faults, 'draw'>): number[] {
  if (faults.draw('WEBHOOK', 'drop') !== null) return [];
  const copies = faults.draw('WEBHOOK', 'duplicate')?.rule.copies ?? 1;
  return Array.from({ length: copies }, () => {
    const shuffle = faults.draw('WEBHOOK', 'shuffle');
    if (shuffle === null) return 0;
    const { seed = 0, delayMs = 0 } = shuffle.rule;
    return Math.floor(random(seed, shuffle.drawn) * delayMs);
  });
}
