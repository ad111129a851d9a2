import { z } from 'zod';
import type { AccountCallOptions, Send } from '../call.ts';
import { writeJson } from '../json/write-json.ts';
import {
  readAssumedSubscription,
  type WebhookSubscriptionParts,
} from '../records/webhook-subscription.ts';
import { checkInput } from '../request/check-input.ts';
import type { Answer } from '../response/conclude.ts';

/** ASSUMED: the payload is not shown; `requestId` is the only id that a subscription has. */
const PayloadSchema = z.strictObject({ requestId: z.guid() });

/**
 * Ends a webhook subscription. Spec: "Events" 6; its path, its payload and its answer are ASSUMED.
 */
export const deleteWebhookSubscription =
  (send: Send) =>
  async (
    input: Readonly<{ requestId: string }>,
    call: AccountCallOptions = {},
  ): Promise<Answer<WebhookSubscriptionParts>> =>
    send(
      {
        operation: 'WEBHOOK_DELETE',
        payloadText: writeJson(checkInput('WEBHOOK_DELETE', PayloadSchema, input)),
        anyShape: true,
        read: readAssumedSubscription,
      },
      call,
    );
