import { createHmac } from 'node:crypto';
import type { Message } from './target.ts';

/**
 * The headers of Standard Webhooks: they prove to the receiver that the body is ours, when it was sent, and whether it
 * came before. With several keys there are several signatures, of which one must fit.
 */
export function signedHeaders(
  { id, body }: Message,
  { keys, nowMs }: Readonly<{ keys: readonly Uint8Array[]; nowMs: number }>,
): Record<string, string> {
  const timestampS = String(Math.floor(nowMs / 1_000));
  const signed = `${id}.${timestampS}.${body}`;
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(signed, 'utf8').digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': timestampS,
    'webhook-signature': signatures.join(' '),
  };
}
