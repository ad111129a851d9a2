import { createHmac, timingSafeEqual } from 'node:crypto';
import { Refused } from '../core/refusals.ts';

/** What a public key opens. One key may stand for several accounts. */
export type ApiKey = Readonly<{ secret: string; accounts: readonly string[] }>;

export type Signed = Readonly<{
  key: string | undefined;
  /** Lower-case hexadecimal HMAC-SHA512 of the bytes of the body. */
  sign: string | undefined;
  body: Buffer;
}>;

/** The key that signed these bytes; refuses everything else. Spec: "Authentication". */
export function authenticate(
  { key, sign, body }: Signed,
  keys: ReadonlyMap<string, ApiKey>,
): ApiKey {
  const apiKey = key === undefined ? undefined : keys.get(key);
  if (apiKey === undefined) throw new Refused('KEY_UNKNOWN');
  const expected = createHmac('sha512', apiKey.secret).update(body).digest('hex');
  if (sign === undefined || !isSame(sign, expected)) throw new Refused('SIGNATURE_INVALID');
  return apiKey;
}

/** Compares in a time that does not depend on the content. */
function isSame(given: string, expected: string): boolean {
  const left = Buffer.from(given, 'utf8');
  const right = Buffer.from(expected, 'utf8');
  return left.length === right.length && timingSafeEqual(left, right);
}
