import type { SandboxEvent } from '../core/events.ts';
import { type BodyModes, eventBody } from '../core/webhook-message.ts';
import type { NewDelivery } from '../store/delivery.ts';
import type { SubscriptionRegistry } from './registry.ts';
import type { Fault, WebhookFault } from '../core/faults.ts';
import { random } from '../core/random.ts';

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

/** One copy of the webhooks of an event. A delay of null: it is never sent. */
type PlannedCopy = Readonly<{ delayMs: number | null; fault: string | null }>;

type DrawWebhookFault = (kind: WebhookFault) => Fault | null;

/** Returns the copies of the webhooks of one event. Without faults, one copy at once. */
function planCopies(draw: DrawWebhookFault): PlannedCopy[] {
  if (draw('drop') !== null) return [{ delayMs: null, fault: 'drop' }];
  const duplicate = draw('duplicate');
  return Array.from({ length: duplicate?.rule.copies ?? 1 }, () => {
    const late = draw('late');
    const shuffle = draw('shuffle');
    const fired = [duplicate, late, shuffle].flatMap((fault) => fault?.rule.kind ?? []);
    return {
      delayMs: (late?.rule.delayMs ?? 0) + shuffledMs(shuffle),
      fault: fired.length === 0 ? null : fired.join('+'),
    };
  });
}

function shuffledMs(fault: Fault | null): number {
  if (fault === null) return 0;
  const { seed = 0, delayMs = 0 } = fault.rule;
  return Math.floor(random(seed, fault.drawn) * delayMs);
}
