import { z } from 'zod';
import type { Subscription, WebhookQueue } from '../../store/webhooks.ts';
import type { Subscriptions } from '../../webhooks/subscriptions.ts';
import { type AdminValue, adminRoute, Nothing } from './route.ts';

/**
 * GET /sandbox/webhooks: every subscription, how it fares, and how many deliveries are in which
 * state.
 */
export const webhooksListRoute = (queue: Pick<WebhookQueue, 'subscriptions' | 'counts'>) =>
  adminRoute({
    method: 'GET',
    path: '/sandbox/webhooks',
    input: Nothing,
    answer: () => ({
      subscriptions: queue.subscriptions().map((each) => ({
        ...subscriptionRecord(each),
        deliveries: queue.counts(each.id),
      })),
    }),
  });

/** POST /sandbox/webhooks: subscribes an address to the changes of state of every mass payout. */
export const webhooksAddRoute = (subscriptions: Pick<Subscriptions, 'add'>) =>
  adminRoute({
    method: 'POST',
    path: '/sandbox/webhooks',
    input: z.strictObject({ url: z.string().max(2_000) }),
    answer: ({ url }) => subscriptionRecord(subscriptions.add(url)),
  });

const subscriptionRecord = (subscription: Subscription): AdminValue => ({
  id: subscription.id,
  url: subscription.url,
  publicKey: subscription.publicKey,
  enabled: subscription.enabled,
  createdDate: new Date(subscription.createdMs).toISOString(),
  blockedByErrorCount: subscription.health.blocked,
  errorCount: subscription.health.errorCount,
});
