import { z } from 'zod';
import type { WireEventType } from '../spec/events.ts';
import type { WireEventGroup } from '../records/webhook-subscription.ts';
import { wireName } from './check-input.ts';

/** What a webhook subscription is to cover. Spec: "Webhook subscription", request. */
export type WebhookSubscriptionInput = Readonly<{
  /** Receives the webhooks: http or https, ASCII, without credentials or a fragment. */
  url: string;
  /** A UUID that names the subscription from then on. */
  requestId?: string;
  /** At least one, when given. New names may be used before this client knows them. */
  notificationEventTypes?: readonly WireEventType[];
  /** All event types of each group. At least one, when given. */
  notificationServiceTypes?: readonly WireEventGroup[];
}>;

/** The documented fields and no others, in the order in which they are written. */
const SubscriptionFields = z.strictObject({
  url: z.string().refine(isWebhookUrl, 'not a plain http or https address'),
  requestId: z.guid().exactOptional(),
  notificationEventTypes: z.array(wireName).min(1).exactOptional(),
  notificationServiceTypes: z.array(wireName).min(1).exactOptional(),
});

type SubscriptionFields = z.output<typeof SubscriptionFields>;

/** A subscription to nothing is none. Spec: "Events" 1. */
const coversSomething = (fields: Partial<SubscriptionFields>): boolean =>
  fields.notificationEventTypes !== undefined || fields.notificationServiceTypes !== undefined;

const COVERS_NOTHING = 'names neither an event type nor a group';

/** A subscription to create. */
export const SubscriptionSchema = SubscriptionFields.refine(coversSomething, COVERS_NOTHING);

/**
 * A subscription to change. ASSUMED: a change to neither types nor groups is a mistake too; whether
 * it would take all of them away or leave them is not shown.
 */
export const SubscriptionChangeSchema = SubscriptionFields.extend({ requestId: z.guid() }).refine(
  coversSomething,
  COVERS_NOTHING,
);

/** Visible ASCII only: what a URL parser would quietly change is refused. */
function isWebhookUrl(text: string): boolean {
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password, hash } = new URL(text);
  return username === '' && password === '' && hash === '';
}
