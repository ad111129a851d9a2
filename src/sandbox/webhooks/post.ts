import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Clock } from '../clock.ts';
import { guardedLookup, isUrlAllowed } from './addresses.ts';

/** A receiver that has not answered by then has failed. */
export const WEBHOOK_TIMEOUT_MS = 10_000;

export type Post = Readonly<{ url: string; headers: Record<string, string>; body: string }>;

export type Posting = Readonly<{
  /** The status of the answer, or null when there was none. Never rejects. */
  status: Promise<number | null>;
  abort(): void;
}>;

/** Sends one POST and reads no more than the status of its answer; redirects are not followed. */
export type Poster = (post: Post) => Posting;

export function createPoster(clock: Clock, allowPrivate: boolean): Poster {
  const lookup = guardedLookup(allowPrivate);
  return ({ url, headers, body }) => {
    if (!isUrlAllowed(url, allowPrivate)) return { status: Promise.resolve(null), abort: () => {} };
    const send = url.startsWith('https:') ? httpsRequest : httpRequest;
    // Without an agent no connection is kept: a stale one would count as a failed delivery.
    const request = send(url, { method: 'POST', headers, lookup, agent: false });
    const stopTimer = clock.startTimer(WEBHOOK_TIMEOUT_MS, () => request.destroy());
    const status = new Promise<number | null>((resolve) => {
      request.on('response', (response) => {
        resolve(response.statusCode ?? null);
        response.destroy();
      });
      request.on('error', () => resolve(null));
      request.on('close', () => {
        stopTimer();
        resolve(null);
      });
    });
    request.end(body);
    return { status, abort: () => void request.destroy() };
  };
}
