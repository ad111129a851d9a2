import { z } from 'zod';
import type { SubscriptionTable } from '../../store/subscriptions.ts';
import type { Subscriptions } from '../../webhooks/subscriptions.ts';
import { AccountId, Timestamp } from '../fields.ts';
import { serveOperation } from '../operation.ts';
import { channelRecord, findChannel, RequestId } from '../webhook-channel.ts';

export const WebhookDeleteBody = z.strictObject({
  timestamp: Timestamp,
  account: AccountId,
  payload: z.strictObject({ requestId: RequestId }),
});

/**
 * ASSUMED: the spec shows neither payload nor answer of a delete. Here the payload names the
 * subscription by its `requestId`, and the answer is the deleted subscription.
 */
export const webhookDeleteOperation = (table: SubscriptionTable, subscriptions: Subscriptions) =>
  serveOperation({
    body: WebhookDeleteBody,
    writes: true,
    answer: ({ body: { account, payload }, modes }) => {
      const subscription = findChannel(table, { account, requestId: payload.requestId });
      subscriptions.remove(subscription);
      return channelRecord(subscription, modes);
    },
  });
