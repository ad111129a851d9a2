import { type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type Delivered, failed } from './target.ts';

export type JsonPost = Readonly<{
  url: string;
  body: string;
  headers?: Readonly<Record<string, string>>;
  tryMsMax: number;
}>;

/** Posts JSON once. Any status from 200 to 299 means delivered; redirects are not followed. Never throws for an answer. */
export function postJson(post: JsonPost): Promise<Delivered> {
  const { url, headers, tryMsMax } = post;
  const body = Buffer.from(post.body, 'utf8');
  const options: RequestOptions = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      'user-agent': 'bursar',
      ...headers,
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
