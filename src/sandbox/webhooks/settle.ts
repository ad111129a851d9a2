import {
  type AttemptOutcome,
  attemptOutcome,
  healthAfterFailure,
  healthAfterSuccess,
} from '../core/webhooks.ts';
import type { Delivery, DeliveryUpdate, WebhookQueue } from '../store/webhooks.ts';

export type SettleDeps = Readonly<{ queue: WebhookQueue; nowMs: number; speed: number }>;

/** Records how a delivery went and what follows; `status` is null when there was no answer. */
export function settleDelivery(deps: SettleDeps, delivery: Delivery, status: number | null): void {
  const attempts = delivery.attempts + 1;
  const outcome = attemptOutcome(status, attempts);
  const isBlocked = settleHealth(deps, delivery.subscription, outcome.kind === 'delivered');
  const next = isBlocked && outcome.kind !== 'delivered' ? HELD : nextOf(outcome, deps);
  deps.queue.update({ id: delivery.id, attempts, ...next });
}

type Next = Pick<DeliveryUpdate, 'dueMs' | 'status'>;

const HELD: Next = { dueMs: null, status: 'HELD' };

function nextOf(outcome: AttemptOutcome, { nowMs, speed }: SettleDeps): Next {
  switch (outcome.kind) {
    case 'delivered':
      return { dueMs: null, status: 'DELIVERED' };
    case 'given-up':
      return { dueMs: null, status: 'GIVEN_UP' };
    case 'retry':
      return { dueMs: nowMs + Math.round(outcome.delayMs / speed), status: 'WAITING' };
  }
}

/** Whether the subscription is blocked afterwards. */
function settleHealth(
  { queue, nowMs, speed }: SettleDeps,
  id: string,
  delivered: boolean,
): boolean {
  const before = queue.subscriptions().find((each) => each.id === id)?.health;
  if (before === undefined) return false;
  if (delivered && before.errorCount === 0) return before.blocked;
  const health = delivered ? healthAfterSuccess(before) : healthAfterFailure(before, nowMs, speed);
  queue.setHealth(id, health);
  if (health.blocked) queue.hold(id);
  return health.blocked;
}
