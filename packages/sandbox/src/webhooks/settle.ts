import type { Delivery } from '../store/delivery.ts';
import {
  type DeliveryAttemptOutcome,
  attemptOutcome,
  healthAfterFailure,
  healthAfterSuccess,
  type SubscriptionHealth,
} from '../core/webhooks.ts';
import type { DeliverySchedule, DeliveryUpdate } from '../store/deliveries.ts';
import type { ReceiverAnswer } from './post.ts';

export type SettleRules = Readonly<{
  nowMs: number;
  /** How many times faster than in the spec retries follow and failures expire. */
  speed: number;
}>;

export type SettledDelivery = Readonly<{ update: DeliveryUpdate; health: SubscriptionHealth }>;

/** Returns the consequences of an answer for the delivery and for its subscription. */
export function settleDelivery(
  delivery: Delivery,
  answer: ReceiverAnswer,
  { health: before, ...rules }: SettleRules & Readonly<{ health: SubscriptionHealth }>,
): SettledDelivery {
  const attempts = delivery.attempts + 1;
  const outcome = attemptOutcome(answer.status, attempts);
  const health = healthAfter(before, outcome.kind === 'delivered', rules);
  const { id, subscription } = delivery;
  const log = [...delivery.log, { atMs: rules.nowMs, ...answer }];
  return { health, update: { id, subscription, attempts, log, ...nextOf(outcome, rules) } };
}

function nextOf(outcome: DeliveryAttemptOutcome, { nowMs, speed }: SettleRules): DeliverySchedule {
  switch (outcome.kind) {
    case 'delivered':
      return { dueMs: null, status: 'DELIVERED' };
    case 'given-up':
      return { dueMs: null, status: 'GIVEN_UP' };
    case 'retry':
      return { dueMs: nowMs + Math.round(outcome.delayMs / speed), status: 'WAITING' };
  }
}

/** Returns the same object when nothing changes. */
function healthAfter(
  health: SubscriptionHealth,
  isDelivered: boolean,
  { nowMs, speed }: SettleRules,
): SubscriptionHealth {
  if (!isDelivered) return healthAfterFailure(health, nowMs, speed);
  return health.errorCount === 0 ? health : healthAfterSuccess(health);
}
