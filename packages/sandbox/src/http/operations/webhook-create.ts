import { z } from 'zod';
import type { Subscriptions } from '../../webhooks/subscriptions.ts';
import { AccountId, Timestamp } from '../fields.ts';
import { serveOperation } from '../operation.ts';
import {
  ChannelFields,
  channelRecord,
  RequestId,
  COVERS_SOMETHING,
  termsOf,
} from '../webhook-channel.ts';

export const WebhookCreateBody = z.strictObject({
  timestamp: Timestamp,
  account: AccountId,
  payload: z
    .strictObject({ ...ChannelFields, requestId: RequestId.optional() })
    .meta(COVERS_SOMETHING),
});

/**
 * Spec: "Webhook subscription create".
 * ASSUMED: the answer is the subscription. A repeated `requestId` with the same terms returns that
 * subscription. With other terms it is refused.
 */
export const webhookCreateOperation = (subscriptions: Subscriptions) =>
  serveOperation({
    body: WebhookCreateBody,
    writes: true,
    answer: ({ body: { account, payload }, modes }) => {
      const { requestId } = payload;
      const terms = termsOf(payload);
      return channelRecord(subscriptions.add({ terms, account, requestId }), modes);
    },
  });
