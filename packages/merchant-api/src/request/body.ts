import { createHash } from 'node:crypto';

/** Members of the request envelope. Spec: "Request envelope". */
export type BodyParts = {
  /** Timestamp of the request: Unix time in milliseconds. */
  readonly timestampMs: number;
  /** Account id. Leave it out for an operation without an account. */
  readonly account?: string | undefined;
  /** The payload as JSON text, which is sent byte for byte. */
  readonly payloadText?: string | undefined;
};

/** The body of a request, ready to sign and send. */
export type PreparedBody = {
  /** The timestamp in the bytes: Unix time in milliseconds. */
  readonly timestampMs: number;
  /** The account in the bytes; missing where they have none. */
  readonly account?: string | undefined;
  /** The bytes to sign and send. */
  readonly bytes: Buffer;
  /** SHA-256 of the bytes, in lowercase hexadecimal. */
  readonly bodySha256: string;
};

/**
 * Builds the body of a request. No other function turns an envelope into bytes.
 * The same parts give the same bytes, so a caller can store the digest before the first attempt.
 */
export function prepareBody(parts: BodyParts): PreparedBody {
  const members = [`"timestamp":${parts.timestampMs}`];
  if (parts.account !== undefined) members.push(`"account":${JSON.stringify(parts.account)}`);
  if (parts.payloadText !== undefined) members.push(`"payload":${parts.payloadText}`);
  const bytes = Buffer.from(`{${members.join(',')}}`, 'utf8');
  const { timestampMs, account } = parts;
  const bodySha256 = createHash('sha256').update(bytes).digest('hex');
  return { timestampMs, account, bytes, bodySha256 };
}
