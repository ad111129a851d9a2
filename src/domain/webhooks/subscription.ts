import {
  type EventType,
  WEBHOOK_BLOCK_FAILURES,
  WEBHOOK_BLOCK_WINDOW_MS,
} from '@bursar/merchant-api/spec';

/** A webhook subscription as the service lists it. Instants are milliseconds since 1970. */
export type SubscriptionFacts = Readonly<{
  id: string;
  url: string;
  eventTypes: readonly string[];
  enabled: boolean;
  blocked: boolean;
  /** Failed deliveries in a row, and the first and the last of them; null while there is none. */
  errorCount: number;
  errorFirstMs: number | null;
  errorLastMs: number | null;
}>;

/** The fields of a listed subscription that count here, as the client of the service names them. */
type Listed = Readonly<{
  requestId: string;
  url: string;
  notificationEventTypes: readonly string[];
  enabled: boolean;
  blockedByErrorCount: boolean;
  errorCount: number;
  errorFirstDate?: string;
  errorLastDate?: string;
}>;

/**
 * ASSUMED: dates of the service are ISO 8601 with a zone. One that `parse` makes nothing of (NaN) is as if it were missing.
 */
export function subscriptionFacts(
  listed: Listed,
  parse: (date: string) => number,
): SubscriptionFacts {
  const msOf = (date = ''): number | null => {
    const ms = parse(date);
    return Number.isNaN(ms) ? null : ms;
  };
  return {
    id: listed.requestId,
    url: listed.url,
    eventTypes: listed.notificationEventTypes,
    enabled: listed.enabled,
    blocked: listed.blockedByErrorCount,
    errorCount: listed.errorCount,
    errorFirstMs: msOf(listed.errorFirstDate),
    errorLastMs: msOf(listed.errorLastDate),
  };
}

/** The event that reports the change of a mass payout. */
export const NEEDED_EVENT: EventType = 'PAYOUT_CHANGE_STATUS';

/** Failed deliveries in a row at which a warning begins: a fifth of those that block a subscription. */
export const NEAR_BLOCK_FAILURES = 20;

/** How a subscription is, for us; the better ones stand first. */
export const SUBSCRIPTION_CONDITIONS = [
  'OK',
  'NEAR_BLOCK',
  'INCOMPLETE',
  'DISABLED',
  'BLOCKED',
] as const;
export type SubscriptionCondition = (typeof SUBSCRIPTION_CONDITIONS)[number];

export function conditionOf(subscription: SubscriptionFacts): SubscriptionCondition {
  const { blocked, enabled, eventTypes, errorCount } = subscription;
  if (blocked) return 'BLOCKED';
  if (!enabled) return 'DISABLED';
  if (!eventTypes.includes(NEEDED_EVENT)) return 'INCOMPLETE';
  return errorCount > NEAR_BLOCK_FAILURES ? 'NEAR_BLOCK' : 'OK';
}

/**
 * How many more failed deliveries without a success block a subscription. While its failures are younger than the window
 * that is exact; later it is judged as if they had come evenly. Spec: "States and transitions", blocking.
 */
export function failuresUntilBlock(
  { errorCount, errorFirstMs, errorLastMs }: SubscriptionFacts,
  nowMs: number,
): number {
  const windowStartMs = nowMs - WEBHOOK_BLOCK_WINDOW_MS;
  const counted = failuresSince(windowStartMs, {
    errorCount,
    firstMs: errorFirstMs ?? nowMs,
    lastMs: errorLastMs ?? nowMs,
  });
  return Math.max(0, WEBHOOK_BLOCK_FAILURES + 1 - counted);
}

type Failures = Readonly<{ errorCount: number; firstMs: number; lastMs: number }>;

function failuresSince(startMs: number, { errorCount, firstMs, lastMs }: Failures): number {
  if (firstMs >= startMs) return errorCount;
  if (lastMs <= startMs) return 0;
  return Math.ceil((errorCount * (lastMs - startMs)) / (lastMs - firstMs));
}
