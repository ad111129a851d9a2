import { type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isBursarError } from '../../domain/errors/bursar-error.ts';
import { signedHeaders } from './sign.ts';
import { type Delivered, failed, type Message, type Target, TRY_MS_MAX } from './target.ts';

export type UrlTargetOptions = Readonly<{
  name: string;
  events: readonly string[];
  url: string;
  /** Reads the signing keys; called at each try, so that a new secret needs no restart. */
  readKeys(): readonly Uint8Array[];
  nowMs(): number;
  tryMsMax?: number;
}>;

/**
 * A target that gets signed webhooks, in the form of Standard Webhooks. Any status from 200 to 299 means delivered;
 * redirects are not followed, and only the status of the answer is read.
 */
export const createUrlTarget = (options: UrlTargetOptions): Target => ({
  name: options.name,
  events: options.events,
  async deliver(message) {
    const keys = tryToRead(options);
    return typeof keys === 'string' ? failed(keys) : post(message, { ...options, keys });
  },
});

/** The keys, or why there are none: a secret that is missing now may be there at the next try. */
function tryToRead({ readKeys }: UrlTargetOptions): readonly Uint8Array[] | string {
  try {
    return readKeys();
  } catch (error) {
    if (isBursarError(error)) return error.note.what;
    throw error;
  }
}

type Post = UrlTargetOptions & Readonly<{ keys: readonly Uint8Array[] }>;

function post(
  message: Message,
  { url, keys, nowMs, tryMsMax = TRY_MS_MAX }: Post,
): Promise<Delivered> {
  const body = Buffer.from(message.body, 'utf8');
  const options: RequestOptions = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      'user-agent': 'bursar',
      ...signedHeaders(message, { keys, nowMs: nowMs() }),
    },
    // A connection of its own: no other call waits for it, and nothing of it is left.
    agent: false,
    signal: AbortSignal.timeout(tryMsMax),
  };
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const request = send(url, options, (response) => {
      resolve(outcomeOf(response));
      response.destroy();
    });
    request.on('error', (error: NodeJS.ErrnoException) => resolve(failed(reasonOf(error))));
    request.end(body);
  });
}

/** The meaning of a status. Standard Webhooks, "Delivery success and failure". */
function outcomeOf({ statusCode = 0, headers }: IncomingMessage): Delivered {
  if (statusCode >= 200 && statusCode < 300) return { kind: 'delivered' };
  const why = `status ${statusCode}`;
  if (statusCode === 410) return { kind: 'failed', why, gone: true };
  const seconds = /^\d{1,9}$/.exec(headers['retry-after'] ?? '')?.[0];
  return seconds === undefined
    ? failed(why)
    : { kind: 'failed', why, askedDelayMs: Number(seconds) * 1_000 };
}

/** A code of the system. Its message can hold the address, and that may hold a secret of the receiver. */
const reasonOf = ({ name, code }: NodeJS.ErrnoException): string =>
  name === 'AbortError' || name === 'TimeoutError' || code === 'ABORT_ERR'
    ? 'no answer in time'
    : (code ?? name);
