import type { IncomingMessage } from 'node:http';
import { Refused } from '../core/refusals.ts';

/**
 * Reads the bytes of a body, `bytesMax` at most. Rejects with Refused as soon as there are more. The
 * rest is read and dropped: if the connection closed before it, the client could lose the answer.
 */
export const readBytes = (
  request: IncomingMessage,
  bytesMax: number = Number.POSITIVE_INFINITY,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let sizeBytes = 0;
    let isRefused = false;
    const refuse = (): void => {
      isRefused = true;
      parts.length = 0;
      reject(new Refused('BODY_TOO_LARGE', `At most ${bytesMax} bytes are allowed.`));
    };
    if (Number(request.headers['content-length'] ?? 0) > bytesMax) refuse();
    request.on('data', (part: Buffer) => {
      sizeBytes += part.length;
      if (isRefused) return;
      if (sizeBytes > bytesMax) refuse();
      else parts.push(part);
    });
    request.on('end', () => resolve(Buffer.concat(parts)));
    request.on('error', () => reject(new Refused('REQUEST_MALFORMED')));
  });
