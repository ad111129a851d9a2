import { z } from 'zod';
import type { WireEventType } from '../spec/events.ts';
import { type SecretString, secretString } from '../secret-string.ts';
import { idText, readParts, readRecord, text, unwrap, wholeNumber } from './fields.ts';

/** A webhook subscription and its delivery errors. Spec: "Webhook subscription", "Events". */
export type WebhookSubscription = {
  /** Id (a UUID) of the request that created the subscription: the only id it has. */
  readonly requestId: string;
  /** Event types that the subscription covers; a text that the spec does not name is kept. */
  readonly notificationEventTypes: readonly WireEventType[];
  /** Address that receives the webhooks. It often holds a secret of the receiver. */
  readonly url: string;
  /** Public key of the subscription. */
  readonly publicKey: string;
  /** Secret key of the subscription. It prints as `[secret]`; `reveal()` returns the text. */
  readonly secretKey: SecretString;
  /** Creation time: ISO 8601 date and time, as the service wrote it. */
  readonly createdDate: string;
  /** Whether the subscription is enabled through the API. */
  readonly enabled: boolean;
  /**
   * Whether the service blocked the subscription after too many failed deliveries: more than 100
   * within 10 minutes and no success. Spec: "Limits".
   */
  readonly blockedByErrorCount: boolean;
  /** Failed deliveries in a row. */
  readonly errorCount: number;
  /**
   * Time of the first failure in the sequence: ISO 8601 date and time. Absent while `errorCount` is
   * 0, whatever the service writes then.
   */
  readonly errorFirstDate?: string;
  /**
   * Time of the last failure in the sequence: ISO 8601 date and time. Absent while `errorCount` is
   * 0, whatever the service writes then.
   */
  readonly errorLastDate?: string;
};

/**
 * The fields of a subscription that an answer shows; perhaps none. Written out, because an editor
 * shows no comments on the fields of `Partial`.
 */
export type WebhookSubscriptionParts = {
  /** Id (a UUID) of the request that created the subscription. */
  readonly requestId?: string;
  /** Event types that the subscription covers. */
  readonly notificationEventTypes?: readonly WireEventType[];
  /** Address that receives the webhooks. */
  readonly url?: string;
  /** Public key of the subscription. */
  readonly publicKey?: string;
  /** Secret key of the subscription. It prints as `[secret]`; `reveal()` returns the text. */
  readonly secretKey?: SecretString;
  /** Creation time: ISO 8601 date and time, as the service wrote it. */
  readonly createdDate?: string;
  /** Whether the subscription is enabled through the API. */
  readonly enabled?: boolean;
  /** Whether the service blocked the subscription after too many failed deliveries. */
  readonly blockedByErrorCount?: boolean;
  /** Failed deliveries in a row. */
  readonly errorCount?: number;
  /** Time of the first failure in the sequence: ISO 8601 date and time. */
  readonly errorFirstDate?: string;
  /** Time of the last failure in the sequence: ISO 8601 date and time. */
  readonly errorLastDate?: string;
};

const eventType: z.ZodType<WireEventType> = idText;
const secretText: z.ZodType<SecretString> = z.string().transform(secretString);

const SubscriptionRecord = z.object({
  requestId: idText,
  notificationEventTypes: z.array(eventType),
  url: text,
  publicKey: text,
  secretKey: secretText,
  createdDate: text,
  enabled: z.boolean(),
  blockedByErrorCount: z.boolean(),
  errorCount: wholeNumber,
  errorFirstDate: text.exactOptional(),
  errorLastDate: text.exactOptional(),
}) satisfies z.ZodType<WebhookSubscription>;

const SubscriptionsRecord = z.object({ subscriptions: z.array(SubscriptionRecord) });

/** Reads a list of subscriptions, wrapped or not. Throws `Unreadable`. */
export const readWebhookSubscriptions = (json: unknown): WebhookSubscription[] =>
  readRecord(SubscriptionsRecord, unwrap(json, 'subscriptions')).subscriptions.map(
    withoutOtherDates,
  );

/**
 * Reads the fields of a subscription that an answer shows. Never throws.
 *
 * ASSUMED: the spec does not show the answers of create, change and delete. The client drops all
 * other content, because it may hold a secret.
 */
export const readSubscriptionParts = (json: unknown): WebhookSubscriptionParts =>
  withoutOtherDates(readParts(SubscriptionRecord, unwrap(json, 'requestId')));

/**
 * ASSUMED: without a failure in a row the dates mean nothing. The spec requires both, so a service may
 * leave them out, write null, or write another date, such as that of creation.
 */
function withoutOtherDates<Fields extends WebhookSubscriptionParts>(fields: Fields): Fields {
  if (fields.errorCount !== 0) return fields;
  const { errorFirstDate: _first, errorLastDate: _last, ...others } = fields;
  return others as Fields;
}
