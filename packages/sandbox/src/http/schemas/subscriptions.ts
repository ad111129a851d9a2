import { z } from 'zod';
import { EventTypeName } from './lists.ts';
import { DateTimeValue, TotalValue, UuidValue } from './values.ts';

/** Spec: "Webhook subscription", WebhookChannelDTO. */
export const Subscription = z
  .object({
    requestId: UuidValue,
    notificationEventTypes: z.array(EventTypeName),
    url: z.string(),
    publicKey: z.string(),
    secretKey: z.string().describe('Signs the webhooks of this subscription.'),
    createdDate: DateTimeValue,
    enabled: z.boolean(),
    blockedByErrorCount: z.boolean().describe('True after too many failed deliveries.'),
    errorCount: TotalValue.describe('Failed deliveries in a row.'),
    errorFirstDate: DateTimeValue,
    errorLastDate: DateTimeValue,
  })
  .describe('WebhookChannelDTO.');

/** Spec: "Webhook subscription", WebhookChannelsDTO. */
export const Subscriptions = z
  .object({ subscriptions: z.array(Subscription) })
  .describe('WebhookChannelsDTO.');
