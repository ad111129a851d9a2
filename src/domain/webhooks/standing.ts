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
