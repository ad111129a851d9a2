import { createHmac, randomUUID } from 'node:crypto';
import { CONTENT_TYPE_JSON, HEADER_KEY, HEADER_SIGN } from '@bursar/merchant-api/spec';
import { accountUuidOf } from './account-ids.ts';
import type { SandboxEvent } from './events.ts';
import type { Modes } from './modes.ts';

/** The modes that shape the body of a webhook. */
export type BodyModes = Readonly<{
  webhookBody: Modes['webhookBody'];
  accountId: Modes['accountId'];
  accountCase: Modes['accountCase'];
  extraFields: Modes['extraFields'];
}>;

/** ASSUMED: the spec does not show the body of a webhook. Every subscription gets the same body. */
export function eventBody(event: SandboxEvent, modes: BodyModes): string {
  const body = shapedBody(event, modes);
  return JSON.stringify(modes.extraFields === 'some' ? withExtraFields(body) : body);
}

function shapedBody(
  { type, account: hex, data }: SandboxEvent,
  { webhookBody, accountId, accountCase }: BodyModes,
): object {
  const issued = accountId === 'uuid' ? accountUuidOf(hex) : hex;
  const account = accountCase === 'lower' ? issued.toLowerCase() : issued;
  switch (webhookBody) {
    case 'nested':
      return { type, account, data };
    case 'flat':
      return { ...data, type, account };
    case 'opaque':
      // The id of the webhook. It looks like an object's id, but no lookup finds it.
      return { eventId: randomUUID() };
  }
}

/** Fields that a service may add to any object without notice. Spec: "Versioning" 3. */
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
 * ASSUMED: the spec does not show how webhooks are signed. Here they are signed as requests are,
 * with the keys of the subscription, or not at all.
 */
export function webhookHeaders(
  { publicKey, secretKey }: WebhookKeys,
  body: string,
  signature: Modes['webhookSignature'],
): Record<string, string> {
  const headers = { 'Content-Type': CONTENT_TYPE_JSON };
  switch (signature) {
    case 'none':
      return headers;
    case 'hmac-sha512': {
      const sign = createHmac('sha512', secretKey).update(body, 'utf8').digest('hex');
      return { ...headers, [HEADER_KEY]: publicKey, [HEADER_SIGN]: sign };
    }
  }
}
