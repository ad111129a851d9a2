import { z } from 'zod';
import type { SubscriptionTable } from '../../store/subscriptions.ts';
import type { Subscriptions } from '../../webhooks/subscriptions.ts';
import { AccountId, Timestamp } from '../fields.ts';
import { serveOperation } from '../operation.ts';
import {
  ChannelFields,
  channelRecord,
  findChannel,
  RequestId,
  COVERS_SOMETHING,
  termsOf,
} from '../webhook-channel.ts';

export const WebhookChangeBody = z.strictObject({
  timestamp: Timestamp,
  account: AccountId,
  payload: z
    .strictObject({
      ...ChannelFields,
      requestId: RequestId,
      enabled: z.boolean().optional(),
    })
    .meta(COVERS_SOMETHING),
});

/**
 * Spec: "Webhook subscription change".
 * ASSUMED: `requestId` names the subscription and is required. The request replaces all other
 * terms. It may contain `enabled`, because the record has it as "enabled or disabled via the API".
 * The answer is the subscription.
 */
export const webhookChangeOperation = (table: SubscriptionTable, subscriptions: Subscriptions) =>
  serveOperation({
    body: WebhookChangeBody,
    writes: true,
    answer: ({ body: { account, payload }, modes }) => {
      const { requestId, enabled } = payload;
      const terms = termsOf(payload);
      const changed = subscriptions.change(findChannel(table, { account, requestId }), terms);
      return channelRecord(
        enabled === undefined ? changed : subscriptions.setEnabled(changed, enabled),
        modes,
      );
    },
  });
