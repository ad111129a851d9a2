import { z } from 'zod';
import type { WireEventType } from '../../spec/events.ts';
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
export const SubscriptionInputSchema = z.strictObject({
  url: z.string().refine(isWebhookUrl, 'not a plain http or https address'),
  requestId: z.guid().exactOptional(),
  notificationEventTypes: z.array(wireName).min(1).exactOptional(),
  notificationServiceTypes: z.array(wireName).min(1).exactOptional(),
});

/** Visible ASCII only: what a URL parser would quietly change is refused. */
function isWebhookUrl(text: string): boolean {
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password, hash } = new URL(text);
  return username === '' && password === '' && hash === '';
}
