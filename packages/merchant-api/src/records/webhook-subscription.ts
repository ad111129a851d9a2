import { z } from 'zod';
import type { WireEventType } from '../spec/events.ts';
import { type SecretString, secretString } from '../secret-string.ts';
import { idText, readRecord, text, unwrap, wholeNumber, yesOrNo } from './fields.ts';
import {
  inner,
  PartList,
  readEntries,
  readFields,
  readWhole,
  recordSource,
  type UnreadableParts,
} from './unreadable-parts.ts';

/** A webhook subscription and its delivery errors. Spec: "Webhook subscription", "Events". */
export type WebhookSubscription = {
  /** Id (a UUID) of the request that created the subscription: the only id it has. */
  readonly requestId: string;
  /** Event types that the subscription covers; a text that the spec does not name is kept. */
  readonly notificationEventTypes: readonly WireEventType[];
  /** Address that receives the webhooks. It often holds a secret of the receiver. */
  readonly url: string;
  /** Public key of the subscription. Absent when it could not be read. */
  readonly publicKey?: string;
  /** Secret key of the subscription. It prints as `[secret]`; `reveal()` returns the text. Absent when it could not be read. */
  readonly secretKey?: SecretString;
  /** Creation time: ISO 8601 date and time, as the service wrote it. Absent when it could not be read. */
  readonly createdDate?: string;
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

/** The subscriptions of an account. Spec: "Webhook subscription", WebhookChannelsDTO. */
export type WebhookSubscriptionList = {
  /** The subscriptions that could be read. */
  readonly subscriptions: readonly WebhookSubscription[];
  /**
   * Parts that could not be read; empty when all was read. While one is among them, the account may have a subscription that the list
   * lacks.
   */
  readonly unreadableParts: UnreadableParts;
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
const secretText: z.ZodType<SecretString> = text.transform(secretString).describe('text');

/** The fields that show whether the subscription works. A subscription with an odd one is left out of the list. */
const CERTAIN = {
  requestId: idText,
  notificationEventTypes: z.array(eventType),
  url: text,
  enabled: yesOrNo,
  blockedByErrorCount: yesOrNo,
  errorCount: wholeNumber,
};

const OTHERS = {
  publicKey: text,
  secretKey: secretText,
  createdDate: text,
  errorFirstDate: text,
  errorLastDate: text,
};

const CertainFields = z.object(CERTAIN);

const ListRecord = z.object({ subscriptions: z.array(z.unknown()) });

/** Reads a list of subscriptions, wrapped or not. Throws `Unreadable` without a list. */
export function readWebhookSubscriptions(json: unknown): WebhookSubscriptionList {
  const source = recordSource(unwrap(json, 'subscriptions'));
  readRecord(ListRecord, source.json);
  const subscriptions = readEntries(inner(source, 'subscriptions'), (entry) => {
    const certain = readWhole(CertainFields, entry);
    if (certain === undefined) return undefined;
    return withoutOtherDates({ ...certain, ...readFields(OTHERS, entry) });
  });
  return { subscriptions, unreadableParts: source.parts.list() };
}

/**
 * Reads the fields of a subscription that an answer shows. Never throws.
 *
 * ASSUMED: the spec does not show the answers of create, change and delete. The client drops all
 * other content, because it may hold a secret.
 */
export const readSubscriptionParts = (json: unknown): WebhookSubscriptionParts =>
  withoutOtherDates(
    readFields(
      { ...CERTAIN, ...OTHERS },
      { json: unwrap(json, 'requestId'), path: '', parts: new PartList() },
    ),
  );

/**
 * ASSUMED: without a failure in a row the dates mean nothing. The spec requires both, so a service may
 * leave them out, write null, or write another date, such as that of creation.
 */
function withoutOtherDates<Fields extends WebhookSubscriptionParts>(fields: Fields): Fields {
  if (fields.errorCount !== 0) return fields;
  const { errorFirstDate: _first, errorLastDate: _last, ...others } = fields;
  return others as Fields;
}
