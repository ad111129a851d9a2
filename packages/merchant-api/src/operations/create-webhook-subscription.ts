import type { AccountCallOptions, Send } from '../call.ts';
import { writeJson } from '../json/write-json.ts';
import {
  readAssumedSubscription,
  type WebhookSubscriptionParts,
} from '../records/webhook-subscription.ts';
import { checkInput } from '../request/check-input.ts';
import {
  SubscriptionSchema,
  type WebhookSubscriptionInput,
} from '../request/webhook-subscription.ts';
import type { Answer } from '../response/conclude.ts';

/**
 * Subscribes an address to event types, groups of them, or both. Spec: "Webhook subscription"; its
 * path and its answer are ASSUMED. Without a `requestId` of your own, look for it in the list.
 */
export const createWebhookSubscription =
  (send: Send) =>
  async (
    input: WebhookSubscriptionInput,
    call: AccountCallOptions = {},
  ): Promise<Answer<WebhookSubscriptionParts>> =>
    send(
      {
        operation: 'WEBHOOK_CREATE',
        payloadText: writeJson(checkInput('WEBHOOK_CREATE', SubscriptionSchema, input)),
        anyShape: true,
        read: readAssumedSubscription,
      },
      call,
    );
