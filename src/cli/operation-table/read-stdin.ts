import { addAbortSignal } from 'node:stream';
import type { Context } from '../context.ts';
import { flagInvalid } from '../../operations/input/flag-error.ts';

/** Names standard input instead of a text. */
export const STDIN = '-';

/** Bytes of a payload. A mass payout of a hundred thousand recipients has about 15 MB; the rest is a file gone astray. */
const PAYLOAD_SIZE_BYTES_MAX = 64 * 1024 * 1024;

/** Reads standard input to its end, as UTF-8. Throws FLAG_INVALID. */
export async function readStdin({ stdin, interrupted, say }: Context): Promise<string> {
  const { stream, isTty } = stdin;
  if (isTty) say('Reading the payload from standard input; end it with Ctrl-D.');
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const part of addAbortSignal(interrupted, stream)) {
    const bytes = Buffer.from(part as Buffer | string);
    sizeBytes += bytes.length;
    if (sizeBytes > PAYLOAD_SIZE_BYTES_MAX) throw flagInvalid('JSON', 'it is over 64 MiB');
    parts.push(bytes);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch {
    throw flagInvalid('JSON', 'standard input is not UTF-8');
  }
}
