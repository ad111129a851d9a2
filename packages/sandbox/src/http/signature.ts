import { createHmac, timingSafeEqual } from 'node:crypto';
import { Refused } from '../core/refusals.ts';

/** The secret and the accounts of a public key. */
export type ApiKey = Readonly<{ secret: string; accounts: readonly string[] }>;

export type Signed = Readonly<{
  key: string | undefined;
  /** Lower-case hexadecimal HMAC-SHA512 of the bytes of the body. */
  sign: string | undefined;
  body: Buffer;
}>;

/** Returns the key that signed these bytes. Throws Refused otherwise. Spec: "Authentication". */
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

/** Compares in constant time. */
function isSame(given: string, expected: string): boolean {
  const left = Buffer.from(given, 'utf8');
  const right = Buffer.from(expected, 'utf8');
  return left.length === right.length && timingSafeEqual(left, right);
}
