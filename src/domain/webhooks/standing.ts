import { isOurs, type OurHooks, wasOurs } from './hook-address.ts';
import {
  conditionOf,
  SUBSCRIPTION_CONDITIONS,
  type SubscriptionCondition,
  type SubscriptionFacts,
} from './subscription.ts';

/**
 * How webhooks reach Bursar. `MISSING`: no subscription leads to the bridge, though it has an outside address.
 * `UNUSED`: none does, and none was wanted. `UNLISTED`: the service does not list its subscriptions. `SILENT`: all
 * looks well, and no webhook arrives.
 */
export type WebhookCondition = SubscriptionCondition | 'MISSING' | 'UNUSED' | 'UNLISTED' | 'SILENT';

/** Conditions in which webhooks do not arrive, so that only polling finds changes. */
const DOWN: readonly WebhookCondition[] = [
  'NEAR_BLOCK',
  'INCOMPLETE',
  'DISABLED',
  'BLOCKED',
  'MISSING',
  'SILENT',
];

export const isDown = (condition: WebhookCondition): boolean => DOWN.includes(condition);

export type WebhookHealth = Readonly<{
  condition: Exclude<WebhookCondition, 'SILENT' | 'UNLISTED'>;
  /** The best of the subscriptions that lead to the bridge. */
  ours: SubscriptionFacts | undefined;
  /** Other subscriptions that lead to the bridge: every event comes once more. */
  duplicates: readonly SubscriptionFacts[];
  /** Subscriptions that led to it once. */
  strays: readonly SubscriptionFacts[];
}>;

/** Finds our subscriptions among those of the account, and returns the condition of the best of them. */
export function judgeSubscriptions(
  subscriptions: readonly SubscriptionFacts[],
  hooks: OurHooks,
): WebhookHealth {
  const leading = subscriptions.filter(({ url }) => isOurs(url, hooks)).sort(byCondition);
  const [ours, ...duplicates] = leading;
  const strays = subscriptions.filter(({ url }) => wasOurs(url, hooks));
  const without = hooks.publicUrl === null ? 'UNUSED' : 'MISSING';
  const condition = ours === undefined ? without : conditionOf(ours);
  return { condition, ours, duplicates, strays };
}

const byCondition = (a: SubscriptionFacts, b: SubscriptionFacts): number =>
  SUBSCRIPTION_CONDITIONS.indexOf(conditionOf(a)) - SUBSCRIPTION_CONDITIONS.indexOf(conditionOf(b));

/**
 * How long a webhook may take after its change, in milliseconds. The service sends it at once, and a second time after
 * 30 seconds.
 */
export const WEBHOOK_DELAY_MS_MAX = 300_000;

/** A webhook may arrive before the answer or the read that shows the same change, in milliseconds. */
const LEAD_MS = 60_000;

/** How far back changes count, in milliseconds. */
export const CHANGES_MS = 86_400_000;

/**
 * `changedAtMs`: the newest change, at least WEBHOOK_DELAY_MS_MAX ago, that a webhook must have reported: an accepted
 * create, or another state in a read. null: none.
 */
type WebhookTraffic = Readonly<{
  changedAtMs: number | null;
  lastReceivedAtMs: number | null;
}>;

/** Whether a webhook should have come, and none at all did: neither about that change nor about anything later. */
export const isSilent = ({ changedAtMs, lastReceivedAtMs }: WebhookTraffic): boolean =>
  changedAtMs !== null && (lastReceivedAtMs === null || lastReceivedAtMs < changedAtMs - LEAD_MS);
