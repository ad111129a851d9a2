import { timingSafeEqual } from 'node:crypto';
import { CONTENT_TYPE_JSON, HEADER_KEY, HEADER_SIGN } from '../spec/limits.ts';
import { signRequest } from '../request/sign.ts';
import type { SecretString } from '../secret-string.ts';

/** Keys of a subscription, as `listWebhookSubscriptions` returns them. */
export type WebhookKeyPair = {
  /** Public key of the subscription. */
  readonly publicKey: string;
  /** Secret key of the subscription. */
  readonly secretKey: string | SecretString;
};

/** Headers of a received request: those of Node.js, or a `Headers` object of the Fetch API. Names in any case. */
export type WebhookHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | {
      /** Returns the value of a header, or null without one. */
      get(name: string): string | null;
    };

/** A webhook with the headers that may hold its signature. */
export type SignedWebhook = {
  /** The exact body, before any parsing. */
  readonly body: string | Uint8Array;
  /** The headers of the request. */
  readonly headers: WebhookHeaders;
};

/**
 * - `verified`: the holder of the secret key signed exactly this body, perhaps long ago.
 * - `wrong-signature`: it carries a signature, and that is not the one of the key.
 * - `cannot-be-verified`: it carries no signature, or names a public key that was not given.
 */
export type WebhookVerification = 'verified' | 'wrong-signature' | 'cannot-be-verified';

/**
 * Compares the signature of a webhook with those of your subscriptions, in constant time. Only `verified` shows the sender.
 * It does not show when the body was signed: an old webhook verifies again.
 *
 * ASSUMED: the spec does not show how webhooks are signed, or whether. They may be signed as requests are: HMAC-SHA512 of the
 * exact body in `Sign`, with the secret key of the subscription, and its public key in `Key`.
 *
 * @example
 * const { value: subscriptions } = await client.listWebhookSubscriptions();
 * if (verifyWebhook({ body, headers: request.headers }, subscriptions) === 'verified') trust(body);
 */
export function verifyWebhook(
  { body, headers }: SignedWebhook,
  keys: readonly WebhookKeyPair[],
): WebhookVerification {
  const sign = headerOf(headers, HEADER_SIGN);
  const publicKey = headerOf(headers, HEADER_KEY);
  if (sign === undefined) return 'cannot-be-verified';
  const candidates = keys.filter((pair) => publicKey === undefined || pair.publicKey === publicKey);
  if (candidates.length === 0) return 'cannot-be-verified';
  const matches = candidates.filter((pair) => isEqual(signRequest(secretOf(pair), body), sign));
  return matches.length > 0 ? 'verified' : 'wrong-signature';
}

/** Returns the headers of a webhook that `verifyWebhook` verifies. For tests of a receiver. */
export const signWebhook = (
  body: string | Uint8Array,
  keys: WebhookKeyPair,
): Record<string, string> => ({
  'Content-Type': CONTENT_TYPE_JSON,
  [HEADER_KEY]: keys.publicKey,
  [HEADER_SIGN]: signRequest(secretOf(keys), body),
});

/** Throws `TypeError` for an empty secret: anybody could sign with it. */
function secretOf({ secretKey }: WebhookKeyPair): string {
  const secret = typeof secretKey === 'string' ? secretKey : secretKey.reveal();
  if (secret !== '') return secret;
  throw new TypeError('WebhookKeyPair: secretKey must not be empty.');
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const values = Object.entries(headers)
    .filter(([given]) => given.toLowerCase() === name.toLowerCase())
    .flatMap(([, value]) => value ?? []);
  return values.length === 0 ? undefined : values.join(', ');
}

/** Compares in a time that shows the length alone, which is public. */
function isEqual(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given.toLowerCase())];
  return a.length === b.length && timingSafeEqual(a, b);
}
