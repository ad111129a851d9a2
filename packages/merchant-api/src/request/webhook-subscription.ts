import { z } from 'zod';
import type { WireEventGroup, WireEventType } from '../spec/events.ts';
import { type InputSchema, wireName } from './check-input.ts';

/** Address and events of a webhook subscription. Spec: "Webhook subscription", request. */
export type WebhookSubscriptionContent = {
  /** Address that receives the webhooks: http or https, ASCII, no credentials, no fragment. */
  readonly url: string;
  /**
   * Event types to receive; at least one. A type that is newer than this client is accepted. Give
   * types, groups, or both.
   */
  readonly notificationEventTypes?: readonly WireEventType[];
  /** Groups to receive every event type of; at least one. Give types, groups, or both. */
  readonly notificationServiceTypes?: readonly WireEventGroup[];
};

/** A webhook subscription to create. Spec: "Webhook subscription", request. */
export type WebhookSubscriptionInput = WebhookSubscriptionContent & {
  /** A UUID of your choice that names the subscription from then on. */
  readonly requestId?: string;
};

/** Names a webhook subscription. Spec: "Webhook subscription". */
export type WebhookSubscriptionReference = {
  /** The `requestId` (a UUID) of the request that created the subscription. */
  readonly requestId: string;
};

/** A webhook subscription with its new values. Spec: "Webhook subscription", request. */
export type WebhookSubscriptionChange = WebhookSubscriptionContent & WebhookSubscriptionReference;

/** The documented fields and no others, in the order in which the client writes them. */
const SubscriptionFields = z.strictObject({
  url: z.string().refine(isWebhookUrl, 'not a plain http or https address'),
  requestId: z.guid().exactOptional(),
  notificationEventTypes: z.array(wireName).min(1).exactOptional(),
  notificationServiceTypes: z.array(wireName).min(1).exactOptional(),
});

type SubscriptionFields = z.output<typeof SubscriptionFields>;

/** Whether a subscription covers any event. Spec: "Events" 1. */
const coversSomething = (fields: Partial<SubscriptionFields>): boolean =>
  fields.notificationEventTypes !== undefined || fields.notificationServiceTypes !== undefined;

const COVERS_NOTHING = 'names neither an event type nor a group';

export const SubscriptionSchema: InputSchema<WebhookSubscriptionInput> = SubscriptionFields.refine(
  coversSomething,
  COVERS_NOTHING,
);

/**
 * ASSUMED: a change without types and without groups is a mistake. The spec does not show whether
 * the service would remove all of them or leave them.
 */
export const SubscriptionChangeSchema: InputSchema<WebhookSubscriptionChange> =
  SubscriptionFields.extend({ requestId: z.guid() }).refine(coversSomething, COVERS_NOTHING);

/** ASSUMED: the spec does not show the payload; `requestId` is the only id of a subscription. */
export const SubscriptionReferenceSchema: InputSchema<WebhookSubscriptionReference> =
  z.strictObject({ requestId: z.guid() });

/** Visible ASCII only: refuses each text that a URL parser would change. */
function isWebhookUrl(text: string): boolean {
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password, hash } = new URL(text);
  return username === '' && password === '' && hash === '';
}
