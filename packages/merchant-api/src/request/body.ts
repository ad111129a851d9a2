import { createHash } from 'node:crypto';
import type { Shapes } from '../spec/shapes.ts';

/** Members of the request envelope. Spec: "Request envelope". */
export type BodyParts = {
  /** Timestamp of the request: Unix time in milliseconds. */
  readonly timestampMs: number;
  /** Account id. Default: that of the client options. An operation that carries no account ignores it. */
  readonly account?: string | undefined;
  /** The payload as JSON text, which is sent byte for byte. */
  readonly payloadText?: string | undefined;
};

/** The body of a request, ready to sign and send. */
export type PreparedBody = {
  /** The timestamp in the bytes: Unix time in milliseconds, a whole second where the service wants seconds. */
  readonly timestampMs: number;
  /** The account in the bytes; missing where they have none. */
  readonly account?: string | undefined;
  /** The bytes to sign and send. */
  readonly bytes: Buffer;
  /** SHA-256 of the bytes, in lowercase hexadecimal. */
  readonly bodySha256: string;
};

/** How an envelope becomes bytes. */
export type BodyForm = Readonly<{
  timestampUnit: Shapes['timestampUnit'];
  /** Whether the members of the payload stand beside the timestamp. */
  isFlat: boolean;
}>;

/**
 * Builds the body of a request. No other function turns an envelope into bytes.
 * The same parts give the same bytes, so a caller can store the digest before the first attempt.
 */
export function prepareBody(parts: BodyParts, { timestampUnit, isFlat }: BodyForm): PreparedBody {
  const { account, payloadText } = parts;
  const unitMs = timestampUnit === 's' ? 1_000 : 1;
  // Rounded down. Rounded up, a create would be valid for up to a second longer than its fence assumes, so a second
  // one could be sent while the first may still be accepted. Test: "sends whole seconds, rounded down".
  const timestamp = Math.floor(parts.timestampMs / unitMs);
  const members = [`"timestamp":${timestamp}`];
  if (account !== undefined) members.push(`"account":${JSON.stringify(account)}`);
  if (payloadText !== undefined) {
    members.push(isFlat ? payloadText.slice(1, -1) : `"payload":${payloadText}`);
  }
  const bytes = Buffer.from(`{${members.join(',')}}`, 'utf8');
  const bodySha256 = createHash('sha256').update(bytes).digest('hex');
  return { timestampMs: timestamp * unitMs, account, bytes, bodySha256 };
}
