import { EVENT_GROUPS, EVENT_TYPES } from '@bursar/merchant-api/spec';
import { z } from 'zod';
import { listOf, NextItem, NullableText } from './values.ts';

/** HELD waits for a subscription that is disabled or blocked. */
export const ADMIN_DELIVERY_STATUSES = [
  'WAITING',
  'HELD',
  'DELIVERED',
  'GIVEN_UP',
  'DROPPED',
] as const;

const Status = z.enum(ADMIN_DELIVERY_STATUSES);
export type AdminDeliveryStatus = z.output<typeof Status>;

export const AdminSubscription = z.object({
  id: z.string(),
  requestId: z.string(),
  /** Null: the subscription covers every account. */
  account: NullableText,
  url: z.string(),
  notificationEventTypes: listOf(z.enum(EVENT_TYPES)),
  notificationServiceTypes: listOf(z.enum(EVENT_GROUPS)),
  publicKey: z.string(),
  enabled: z.boolean(),
  createdDate: z.string(),
  blockedByErrorCount: z.boolean(),
  errorCount: z.int(),
  errorFirstDate: NullableText,
  errorLastDate: NullableText,
  /** How many deliveries have each status. */
  deliveries: z.partialRecord(Status, z.int()),
});
export type AdminSubscription = z.output<typeof AdminSubscription>;

export const AdminSubscriptions = z.object({ subscriptions: listOf(AdminSubscription) });

/** A subscription that was just added. No later answer contains the secret key. */
export const AdminNewSubscription = z.object({
  ...AdminSubscription.shape,
  secretKey: z.string(),
});
export type AdminNewSubscription = z.output<typeof AdminNewSubscription>;

export const AdminDelivery = z.object({
  id: z.int(),
  subscription: z.string(),
  type: z.enum(EVENT_TYPES),
  account: z.string(),
  /** The bytes of the webhook, as text. */
  body: z.string(),
  fault: NullableText,
  status: Status,
  createdDate: z.string(),
  nextDate: NullableText,
  attempts: listOf(
    z.object({ time: z.string(), status: z.int().nullable(), reason: NullableText }),
  ),
});
export type AdminDelivery = z.output<typeof AdminDelivery>;

export const AdminDeliveries = z.object({ deliveries: listOf(AdminDelivery), next: NextItem });
