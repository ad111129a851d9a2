import type { AccountCallOptions, Send } from '../call.ts';
import {
  readWebhookSubscriptions,
  type WebhookSubscription,
} from '../records/webhook-subscription.ts';
import type { Answer } from '../response/conclude.ts';

/**
 * Lists every webhook subscription of an account, with its secret key and its health. Spec:
 * "Webhook subscription"; its path is ASSUMED.
 */
export const listWebhookSubscriptions =
  (send: Send) =>
  (call: AccountCallOptions = {}): Promise<Answer<WebhookSubscription[]>> =>
    send({ operation: 'WEBHOOK_LIST', read: readWebhookSubscriptions }, call);
