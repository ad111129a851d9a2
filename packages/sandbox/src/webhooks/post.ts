import { type ClientRequest, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { SandboxClock } from '../clock.ts';
import { guardedLookup, isUrlAllowed, type ResolveHost, resolveHost } from './addresses.ts';

/** A receiver that has not answered by then has failed. */
export const WEBHOOK_TIMEOUT_MS = 10_000;

/** A receiver that is not resolved and connected by then has failed. */
export const WEBHOOK_CONNECT_TIMEOUT_MS = 5_000;

/** The most bytes of an answer that are read before the connection is cut. None of them is kept. */
const ANSWER_BYTES_MAX = 64 * 1024;

export type WebhookPost = Readonly<{ url: string; headers: Record<string, string>; body: string }>;

/** The status of a receiver's answer, or the reason why there was none. */
export type ReceiverAnswer = Readonly<{ status: number | null; reason: string | null }>;

export type OpenPost = Readonly<{
  /** Never rejects. */
  answer: Promise<ReceiverAnswer>;
  abort(): void;
}>;

/** Sends one POST and returns only the status of the answer. It does not follow redirects. */
export type SendPost = (post: WebhookPost) => OpenPost;

export type PosterDeps = Readonly<{
  clock: SandboxClock;
  /** Whether webhooks may go to this computer and to private networks. */
  allowPrivate: boolean;
  /** The lowest port besides those of the web. Null: any port. */
  portMin?: () => number | null;
  /** Resolves a name. The default is the system's resolver. */
  resolve?: ResolveHost;
}>;

export function createPoster(deps: PosterDeps): SendPost {
  const { clock, allowPrivate, portMin, resolve = resolveHost } = deps;
  const lookup = guardedLookup(allowPrivate, resolve);
  return ({ url, headers, body }) => {
    if (!isUrlAllowed(url, allowPrivate, portMin?.())) {
      const reason = 'the address is not allowed';
      return { answer: Promise.resolve({ status: null, reason }), abort: () => {} };
    }
    const send = url.startsWith('https:') ? httpsRequest : httpRequest;
    // Without an agent no connection is reused. A stale one would count as a failed delivery.
    const request = send(url, { method: 'POST', headers, lookup, agent: false });
    const answer = answerTo(request);
    limitTime(request, clock);
    request.end(body);
    return { answer, abort: () => void request.destroy() };
  };
}

/** Settles when the connection is closed. A slow receiver delays only its own subscription. */
const answerTo = (request: ClientRequest): Promise<ReceiverAnswer> =>
  new Promise((resolve) => {
    let answer: ReceiverAnswer = {
      status: null,
      reason: 'the connection was closed without an answer',
    };
    request.on('response', (response) => {
      answer = { status: response.statusCode ?? null, reason: null };
      let sizeBytes = 0;
      response.on('data', ({ length }: Buffer) => {
        sizeBytes += length;
        if (sizeBytes > ANSWER_BYTES_MAX) request.destroy();
      });
      // The status has arrived. An error in the rest of the answer changes nothing.
      response.on('error', () => {});
    });
    request.on('error', ({ message }) => {
      if (answer.status === null) answer = { status: null, reason: message.slice(0, 200) };
    });
    request.on('close', () => resolve(answer));
  });

function limitTime(request: ClientRequest, clock: SandboxClock): void {
  const endAfter = (delayMs: number, what: string) =>
    clock.startTimer(delayMs, () => {
      request.destroy(new Error(`${what} in ${delayMs / 1000} s`));
    });
  const stopConnectTimer = endAfter(WEBHOOK_CONNECT_TIMEOUT_MS, 'no connection');
  const stopTimer = endAfter(WEBHOOK_TIMEOUT_MS, 'no answer');
  request.on('socket', (socket) => {
    const ready = 'encrypted' in socket ? 'secureConnect' : 'connect';
    socket.on(ready, stopConnectTimer);
  });
  request.on('close', () => {
    stopConnectTimer();
    stopTimer();
  });
}
