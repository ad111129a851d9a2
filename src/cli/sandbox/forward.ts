import type { AdminEvent } from '@bursar/sandbox/admin';
import { reasonOf } from './client.ts';

/** How long a receiver may take to answer, in milliseconds: as long as the service gives it. */
const ANSWER_TIMEOUT_MS = 10_000;

/** What a receiver made of an event: a status, or the reason why none came. */
export type Forwarded = Readonly<{ status: number | null; reason: string | null }>;

/** The body that a webhook of the event has when no mode changes it. */
export const webhookBody = ({ type, account, data }: AdminEvent): string =>
  JSON.stringify({ type, account, data });

/** Posts an event to a receiver, unsigned. A receiver that fails is an answer too; only Ctrl-C throws. */
export async function forward(
  url: URL,
  event: AdminEvent,
  interrupted: AbortSignal,
): Promise<Forwarded> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: webhookBody(event),
      redirect: 'manual',
      signal: AbortSignal.any([interrupted, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return { status: response.status, reason: null };
  } catch (error) {
    interrupted.throwIfAborted();
    return { status: null, reason: reasonOf(error) };
  }
}
