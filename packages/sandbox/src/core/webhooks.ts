import {
  WEBHOOK_BLOCK_FAILURES,
  WEBHOOK_BLOCK_WINDOW_MS,
  WEBHOOK_DELIVERED_STATUS,
  webhookRetryDelaysS,
} from '@bursar/merchant-api/spec';

const RETRY_DELAYS_MS = webhookRetryDelaysS().map((delayS) => delayS * 1000);

export type DeliveryAttemptOutcome =
  | Readonly<{ kind: 'delivered' }>
  | Readonly<{ kind: 'retry'; delayMs: number }>
  | Readonly<{ kind: 'given-up' }>;

/** Returns the consequence of one attempt. `attempts` counts this one. Spec: "Events" 3 and 4. */
export function attemptOutcome(status: number | null, attempts: number): DeliveryAttemptOutcome {
  if (status === WEBHOOK_DELIVERED_STATUS) return { kind: 'delivered' };
  const delayMs = RETRY_DELAYS_MS[attempts - 1];
  return delayMs === undefined ? { kind: 'given-up' } : { kind: 'retry', delayMs };
}

/** The record of a subscription's failures. Spec: "Webhook subscription (channel)". */
export type SubscriptionHealth = Readonly<{
  /** Failed deliveries in a row. */
  errorCount: number;
  errorFirstMs: number | null;
  errorLastMs: number | null;
  blocked: boolean;
  /** Times of the failures that still count for blocking, oldest first. */
  recentMs: readonly number[];
}>;

export const HEALTHY: SubscriptionHealth = {
  errorCount: 0,
  errorFirstMs: null,
  errorLastMs: null,
  blocked: false,
  recentMs: [],
};

/**
 * Returns the health after one more failure. `speed` shortens the time in which failures count.
 * Spec: "Limits".
 */
export function healthAfterFailure(
  health: SubscriptionHealth,
  nowMs: number,
  speed: number,
): SubscriptionHealth {
  const windowMs = WEBHOOK_BLOCK_WINDOW_MS / speed;
  const recentMs = [...health.recentMs.filter((atMs) => atMs > nowMs - windowMs), nowMs];
  return {
    errorCount: health.errorCount + 1,
    errorFirstMs: health.errorFirstMs ?? nowMs,
    errorLastMs: nowMs,
    blocked: health.blocked || recentMs.length > WEBHOOK_BLOCK_FAILURES,
    // Older times change nothing. Attempts that are under way can still fail after the blocking.
    recentMs: recentMs.slice(-WEBHOOK_BLOCK_FAILURES - 1),
  };
}

/** Returns the health after a success. Only a person unblocks a subscription. */
export const healthAfterSuccess = ({ blocked }: SubscriptionHealth): SubscriptionHealth => ({
  ...HEALTHY,
  blocked,
});
