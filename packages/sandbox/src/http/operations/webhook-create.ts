import { z } from 'zod';
import type { Subscriptions } from '../../webhooks/subscriptions.ts';
import { AccountId, Timestamp } from '../fields.ts';
import { serveOperation } from '../operation.ts';
import {
  ChannelFields,
  channelRecord,
  RequestId,
  WANTS_SOMETHING,
  wantedOf,
} from '../webhook-channel.ts';

export const WebhookCreateBody = z.strictObject({
  timestamp: Timestamp,
  account: AccountId,
  payload: z
    .strictObject({ ...ChannelFields, requestId: RequestId.optional() })
    .meta(WANTS_SOMETHING),
});

/**
 * Spec: "Webhook subscription create". ASSUMED: the answer is the subscription; a `requestId` that
 * was used for the same subscription answers that one, and for another one it is refused.
 */
export const webhookCreateOperation = (subscriptions: Subscriptions) =>
  serveOperation({
    body: WebhookCreateBody,
    writes: true,
    answer: ({ body: { account, payload } }) => {
      const { requestId } = payload;
      return channelRecord(subscriptions.add({ wanted: wantedOf(payload), account, requestId }));
    },
  });
