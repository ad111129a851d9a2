import { createHmac } from 'node:crypto';

/**
 * Signs the exact bytes of a body: HMAC-SHA512 as 128 lowercase hexadecimal digits.
 * Text is signed as UTF-8. Spec: "Authentication" 4.
 */
export function signRequest(secret: string, body: string | Uint8Array): string {
  return createHmac('sha512', secret).update(body).digest('hex');
}
