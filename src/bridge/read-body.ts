import type { Readable } from 'node:stream';

/**
 * Reads a body to its end and keeps the first `sizeBytesMax` bytes of it.
 * A webhook is only a hint: the start of a long one is worth more than a refusal, which would count as a failed delivery.
 */
export async function readBody(body: Readable, sizeBytesMax: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let room = sizeBytesMax;
  for await (const part of body as AsyncIterable<Buffer>) {
    if (room > 0) parts.push(part.subarray(0, room));
    room -= part.length;
  }
  return Buffer.concat(parts);
}
