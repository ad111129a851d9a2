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
  WANTS_SOMETHING,
  wantedOf,
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
    .meta(WANTS_SOMETHING),
});

/**
 * Spec: "Webhook subscription change". ASSUMED: `requestId` names the subscription and must be
 * there; everything else is replaced as a whole; `enabled` may be given, because the record has it
 * as "enabled or disabled via the API"; the answer is the subscription.
 */
export const webhookChangeOperation = (table: SubscriptionTable, subscriptions: Subscriptions) =>
  serveOperation({
    body: WebhookChangeBody,
    writes: true,
    answer: ({ body: { account, payload } }) => {
      const { requestId, enabled } = payload;
      const wanted = wantedOf(payload);
      const changed = subscriptions.change(findChannel(table, { account, requestId }), wanted);
      return channelRecord(
        enabled === undefined ? changed : subscriptions.setEnabled(changed, enabled),
      );
    },
  });
