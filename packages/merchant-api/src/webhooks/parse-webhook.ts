import { isLosslessNumber } from 'lossless-json';
import { EVENT_TYPES, type EventType, type PayoutEventType } from '../spec/events.ts';
import { compact } from '../compact.ts';
import { parseJson } from '../json/read-json.ts';
import { readOpenValue } from '../records/open-value.ts';
import { Unreadable } from '../response/unreadable.ts';
import { findWebhookIds, type WebhookIdOptions, webhookText } from './find-webhook-ids.ts';
import type { WebhookEvent, WebhookPayout } from './webhook-event.ts';

/**
 * Reads the body of a webhook, as it came. Never throws: a body of any other form has the type `UNKNOWN`, and its ids are found
 * all the same. Limit the size of the body before.
 *
 * ASSUMED: the spec does not show the body. The client reads the forms `{type, account, data}`, `{type, account, ...data}` and
 * `{eventId}`, and takes an event type of the spec from any field of the first two levels when `type` has none.
 *
 * @example
 * const event = parseWebhook(body);
 * if (event.type === 'PAYOUT_CHANGE_STATUS') console.log(event.payout.id, event.payout.state);
 */
export function parseWebhook(
  body: string | Uint8Array,
  options: WebhookIdOptions = {},
): WebhookEvent {
  const json = readBody(body);
  const fields = membersOf(json);
  const data = membersOf(fields['data']);
  const account = textOf(fields['account']) ?? textOf(data['account']);
  const content = json === undefined ? undefined : readOpenValue(json);
  const facts = { ids: findWebhookIds(body, options), ...compact({ account, content }) };
  const type = eventTypeOf(fields, data);
  if (type === undefined) {
    return { type: 'UNKNOWN', ...compact({ typeName: textOf(fields['type']) }), ...facts };
  }
  if (!isPayoutType(type)) return { type, ...facts };
  return { type, payout: payoutOf({ ...fields, ...data }), ...facts };
}

type Members = Readonly<Record<string, unknown>>;

function readBody(body: string | Uint8Array): unknown {
  try {
    return parseJson(webhookText(body));
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};

/** A text or a number as text. Undefined for any other value, and for an empty text. */
function textOf(value: unknown): string | undefined {
  if (isLosslessNumber(value)) return value.value;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The event type in `type`; else the only one among the other texts. */
function eventTypeOf(fields: Members, data: Members): EventType | undefined {
  if (isEventType(fields['type'])) return fields['type'];
  const found = new Set([...Object.values(fields), ...Object.values(data)].filter(isEventType));
  return found.size === 1 ? [...found][0] : undefined;
}

const isEventType = (value: unknown): value is EventType =>
  (EVENT_TYPES as readonly unknown[]).includes(value);

const isPayoutType = (type: EventType): type is PayoutEventType => type.startsWith('PAYOUT_');

const payoutOf = (fields: Members): WebhookPayout =>
  compact({
    id: textOf(fields['id']),
    idempotencyKey: textOf(fields['idempotencyKey']),
    externalId: textOf(fields['externalId']),
    state: textOf(fields['state']),
  });
