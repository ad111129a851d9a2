import { createHmac, randomUUID } from 'node:crypto';
import { CONTENT_TYPE_JSON, HEADER_KEY, HEADER_SIGN } from '../../spec/limits.ts';
import { accountUuidOf } from './account-ids.ts';
import type { SandboxEvent } from './events.ts';
import type { Modes } from './modes.ts';

/** ASSUMED: the spec does not show the body of a webhook. One body goes to all subscriptions. */
export function eventBody(
  { type, account: hex, data }: SandboxEvent,
  { webhookBody, accountId }: Pick<Modes, 'webhookBody' | 'accountId'>,
): string {
  const account = accountId === 'uuid' ? accountUuidOf(hex) : hex;
  switch (webhookBody) {
    case 'nested':
      return JSON.stringify({ type, account, data });
    case 'flat':
      return JSON.stringify({ ...data, type, account });
    case 'opaque':
      // The id of the webhook itself: it looks like that of an object, and nothing is found by it.
      return JSON.stringify({ eventId: randomUUID() });
  }
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
