import type { Readable } from 'node:stream';

/**
 * Reads a body to its end and returns its first `sizeBytesMax` bytes.
 * The service counts a refusal as a failed delivery, so the bridge keeps the start of a long body.
 */
export async function readBody(body: Readable, sizeBytesMax: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytesLeft = sizeBytesMax;
  for await (const part of body as AsyncIterable<Buffer>) {
    if (bytesLeft > 0) parts.push(part.subarray(0, bytesLeft));
    bytesLeft -= part.length;
  }
  return Buffer.concat(parts);
}
