import { z } from 'zod';
import type { EventGroup, WireEventType } from '../spec/events.ts';
import { type SecretString, secretString } from '../secret-string.ts';
import { idText, readParts, readRecord, text, unwrap, wholeNumber } from './fields.ts';

/** What the wire may carry: the service may add groups of event types at any time. */
export type WireEventGroup = EventGroup | (string & {});

const eventType: z.ZodType<WireEventType> = idText;
const secretText: z.ZodType<SecretString> = z.string().transform(secretString);

const SubscriptionRecord = z.object({
  /** Id of the request that created the subscription: the only id it has. */
  requestId: idText,
  notificationEventTypes: z.array(eventType),
  /** Receives the webhooks; often holds a secret of the receiver. */
  url: text,
  publicKey: text,
  /** Prints as `[secret]`; `reveal()` gives the text. */
  secretKey: secretText,
  createdDate: text,
  enabled: z.boolean(),
  /** Disabled by the service, after too many failed deliveries. Spec: "Limits". */
  blockedByErrorCount: z.boolean(),
  /** Failed deliveries in a row. */
  errorCount: wholeNumber,
  /** ASSUMED: both dates are absent while no delivery has failed, though the spec requires them. */
  errorFirstDate: text.exactOptional(),
  errorLastDate: text.exactOptional(),
});

/** A webhook subscription and how it fares. Spec: "Webhook subscription". */
export type WebhookSubscription = Readonly<z.output<typeof SubscriptionRecord>>;

const SubscriptionsRecord = z.object({ subscriptions: z.array(SubscriptionRecord) });

/** Reads a list of subscriptions, wrapped or not. Throws `Unreadable`. */
export const readWebhookSubscriptions = (json: unknown): WebhookSubscription[] =>
  readRecord(SubscriptionsRecord, unwrap(json, 'subscriptions')).subscriptions;

/** As much of a subscription as an answer shows, down to nothing. */
export type WebhookSubscriptionParts = Readonly<Partial<WebhookSubscription>>;

/**
 * ASSUMED: the answers of create, change and delete are not shown; here the subscription, or some
 * of its fields. Anything else is dropped, since it could hold a secret. Never throws.
 */
export const readAssumedSubscription = (json: unknown): WebhookSubscriptionParts =>
  readParts(SubscriptionRecord, unwrap(json, 'requestId'));
