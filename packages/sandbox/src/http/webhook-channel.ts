import { z } from 'zod';
import type { Modes } from '../core/modes.ts';
import { Refused } from '../core/refusals.ts';
import { coveredTypes, type Subscription, type SubscriptionTerms } from '../core/subscriptions.ts';
import type { SubscriptionTable } from '../store/subscriptions.ts';
import type { ExactJsonValue } from './exact-json.ts';
import { Uuid } from './fields.ts';
import { EventGroupName, EventTypeName } from './schemas/lists.ts';

/** The most characters of an address, and entries of a list. The spec sets no limits. */
const URL_LENGTH_MAX = 2_000;
const LIST_LENGTH_MAX = 1_000;

export const ReceiverUrl = z.string().min(1).max(URL_LENGTH_MAX).meta({
  pattern: '^https?://',
  description: 'An address without a password, of a public host or of this computer.',
});

const withoutRepeats = <Item>(items: readonly Item[]): Item[] => [...new Set(items)];

/** Event types and groups. A repeated entry counts once. */
export const EventTypes = z.array(EventTypeName).max(LIST_LENGTH_MAX);
export const EventGroups = z.array(EventGroupName).max(LIST_LENGTH_MAX);

/** Spec: "Webhook subscription", WebhookChannelRequestDTO. */
export const ChannelFields = {
  url: ReceiverUrl,
  notificationEventTypes: EventTypes.optional(),
  notificationServiceTypes: EventGroups.optional(),
};

export type ChannelRequest = z.infer<z.ZodObject<typeof ChannelFields>>;

/** The rule of `termsOf`, for the OpenAPI document. */
export const COVERS_SOMETHING = {
  anyOf: ['notificationEventTypes', 'notificationServiceTypes'].map((name) => ({
    properties: { [name]: { type: 'array', minItems: 1 } },
    required: [name],
  })),
};

/**
 * ASSUMED: the spec lets both lists be left out. Here a subscription without any event is refused.
 */
export function termsOf(request: ChannelRequest): SubscriptionTerms {
  const types = withoutRepeats(request.notificationEventTypes ?? []);
  const groups = withoutRepeats(request.notificationServiceTypes ?? []);
  if (types.length > 0 || groups.length > 0) return { url: request.url, types, groups };
  throw new Refused(
    'FIELD_INVALID',
    'payload: notificationEventTypes or notificationServiceTypes must name something',
  );
}

/**
 * ASSUMED: change and delete name a subscription by its `requestId`. No record shows another id.
 */
export const RequestId = Uuid;

/**
 * Returns the subscription of an account with this `requestId`. Throws Refused when there is none.
 */
export function findChannel(
  table: SubscriptionTable,
  { account, requestId }: Readonly<{ account: string; requestId: string }>,
): Subscription {
  const found = table.byRequest(account, requestId);
  if (found === null) throw new Refused('NOT_FOUND');
  return found;
}

/**
 * Spec: "Webhook subscription", WebhookChannelDTO.
 * ASSUMED: it has no field for groups, so the record lists their types. Until the first failure the
 * mode `errorDates` decides about the dates of failures.
 */
export function channelRecord(
  subscription: Subscription,
  { errorDates }: Readonly<{ errorDates: Modes['errorDates'] }>,
): ExactJsonValue {
  const { createdMs, health } = subscription;
  const none = { 'created-date': dateOf(createdMs), 'left-out': undefined, null: null }[errorDates];
  const shown = (atMs: number | null) => (atMs === null ? none : dateOf(atMs));
  return {
    requestId: subscription.requestId,
    notificationEventTypes: coveredTypes(subscription),
    url: subscription.url,
    publicKey: subscription.publicKey,
    secretKey: subscription.secretKey,
    createdDate: dateOf(createdMs),
    enabled: subscription.enabled,
    blockedByErrorCount: health.blocked,
    errorCount: health.errorCount,
    errorFirstDate: shown(health.errorFirstMs),
    errorLastDate: shown(health.errorLastMs),
  };
}

const dateOf = (atMs: number): string => new Date(atMs).toISOString();
