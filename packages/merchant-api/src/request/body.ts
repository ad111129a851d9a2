import { createHash } from 'node:crypto';

/**
 * What goes into the request envelope; `payloadText` is JSON and is sent as it is. Spec: "Request
 * envelope".
 */
export type BodyParts = Readonly<{
  /** Unix time in milliseconds. */
  timestampMs: number;
  account?: string | undefined;
  payloadText?: string | undefined;
}>;

/** The bytes that are signed and sent, and their SHA-256 in lowercase hexadecimal. */
export type PreparedBody = Readonly<{ bytes: Buffer; bodySha256: string }>;

/**
 * Builds the body of a request; the only place where an envelope becomes bytes.
 * The same parts give the same bytes, so a caller can note the digest before anything is sent.
 */
export function prepareBody(parts: BodyParts): PreparedBody {
  const members = [`"timestamp":${parts.timestampMs}`];
  if (parts.account !== undefined) members.push(`"account":${JSON.stringify(parts.account)}`);
  if (parts.payloadText !== undefined) members.push(`"payload":${parts.payloadText}`);
  const bytes = Buffer.from(`{${members.join(',')}}`, 'utf8');
  return { bytes, bodySha256: createHash('sha256').update(bytes).digest('hex') };
}
