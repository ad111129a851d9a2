import type { AccountCallOptions, Send } from '../call.ts';
import { writeJson } from '../json/write-json.ts';
import {
  readAssumedSubscription,
  type WebhookSubscriptionParts,
} from '../records/webhook-subscription.ts';
import { checkInput } from '../request/check-input.ts';
import {
  SubscriptionChangeSchema,
  type WebhookSubscriptionInput,
} from '../request/webhook-subscription.ts';
import type { Answer } from '../response/conclude.ts';

/** What a subscription is to be from now on. */
export type WebhookSubscriptionChange = WebhookSubscriptionInput & Readonly<{ requestId: string }>;

/**
 * Changes a webhook subscription. Spec: "Webhook subscription"; its path and its answer are
 * ASSUMED. ASSUMED: `requestId` names the subscription; whether event types that are left out stay
 * or go is not shown, so give all that shall hold, and at least one type or group.
 */
export const changeWebhookSubscription =
  (send: Send) =>
  async (
    change: WebhookSubscriptionChange,
    call: AccountCallOptions = {},
  ): Promise<Answer<WebhookSubscriptionParts>> =>
    send(
      {
        operation: 'WEBHOOK_CHANGE',
        payloadText: writeJson(checkInput('WEBHOOK_CHANGE', SubscriptionChangeSchema, change)),
        anyShape: true,
        read: readAssumedSubscription,
      },
      call,
    );
