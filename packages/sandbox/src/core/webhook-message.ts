import { createHmac, randomUUID } from 'node:crypto';
import { CONTENT_TYPE_JSON, HEADER_KEY, HEADER_SIGN } from '@bursar/merchant-api/spec';
import { accountUuidOf } from './account-ids.ts';
import type { SandboxEvent } from './events.ts';
import type { Modes } from './modes.ts';

/** The modes that say how the body of a webhook looks. */
export type BodyModes = Pick<Modes, 'webhookBody' | 'accountId' | 'extraFields'>;

/** ASSUMED: the spec does not show the body of a webhook. One body goes to all subscriptions. */
export function eventBody(event: SandboxEvent, modes: BodyModes): string {
  const body = shapedBody(event, modes);
  return JSON.stringify(modes.extraFields === 'some' ? withExtraFields(body) : body);
}

function shapedBody(
  { type, account: hex, data }: SandboxEvent,
  { webhookBody, accountId }: BodyModes,
): object {
  const account = accountId === 'uuid' ? accountUuidOf(hex) : hex;
  switch (webhookBody) {
    case 'nested':
      return { type, account, data };
    case 'flat':
      return { ...data, type, account };
    case 'opaque':
      // The id of the webhook itself: it looks like that of an object, and nothing is found by it.
      return { eventId: randomUUID() };
  }
}

/** What a service may add to any object without saying so. Spec: "Versioning" 3. */
const EXTRA_FIELDS = {
  addedText: 'not documented',
  addedObject: { addedList: [null, true, { addedNumber: 0.5 }] },
};

function withExtraFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withExtraFields);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, withExtraFields(field)]);
  return { ...Object.fromEntries(fields), ...EXTRA_FIELDS };
}

export type WebhookKeys = Readonly<{ publicKey: string; secretKey: string }>;

/**
 * ASSUMED: the spec does not show how webhooks are signed; here as requests are, with the keys of
 * the subscription, or not at all.
 */
export function webhookHeaders(
  { publicKey, secretKey }: WebhookKeys,
  body: string,
  { webhookSignature }: Pick<Modes, 'webhookSignature'>,
): Record<string, string> {
  const headers = { 'Content-Type': CONTENT_TYPE_JSON };
  switch (webhookSignature) {
    case 'none':
      return headers;
    case 'hmac-sha512': {
      const sign = createHmac('sha512', secretKey).update(body, 'utf8').digest('hex');
      return { ...headers, [HEADER_KEY]: publicKey, [HEADER_SIGN]: sign };
    }
  }
}
