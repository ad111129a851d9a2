import { z } from 'zod';
import { cleanText } from './clean-text.ts';

const MESSAGE_LENGTH_MAX = 300;

/** An error that names a cause and carries nothing else. */
export type SafeCause = Error & { code: string };

/** Checks the shape, because a thrown value may be no `Error`, or one of another realm. */
const ErrorFields = z
  .object({
    name: z.string().catch('Error'),
    message: z.string().catch('unknown'),
    code: z.string().optional().catch(undefined),
  })
  .catch({ name: 'Error', message: 'unknown' });

/**
 * Copies name, code and message of an error, and nothing more: errors of undici and TLS also carry
 * sockets, certificates and the bytes that did not parse. The name stands in for a missing code.
 */
export function safeCause(cause: unknown): SafeCause {
  const { name, message, code = name } = ErrorFields.parse(cause);
  const safe = new Error(cleanText(message, { lengthMax: MESSAGE_LENGTH_MAX }));
  return Object.assign(safe, { name, code });
}
