import { z } from 'zod';
import type { SubscriptionTable } from '../../store/subscriptions.ts';
import { AccountId, Timestamp } from '../fields.ts';
import { serveOperation } from '../operation.ts';
import { channelRecord } from '../webhook-channel.ts';

export const WebhookListBody = z.strictObject({ timestamp: Timestamp, account: AccountId });

/**
 * Spec: "Webhook subscription list", WebhookChannelsDTO: the subscriptions of the account, oldest
 * first.
 */
export const webhookListOperation = (table: SubscriptionTable) =>
  serveOperation({
    body: WebhookListBody,
    writes: false,
    answer: ({ body: { account }, modes }) => ({
      subscriptions: table.ofAccount(account).map((each) => channelRecord(each, modes)),
    }),
  });
