import type { Settlement, Spool } from '../store/webhooks/spool.ts';

/** A webhook that has ended. Times are milliseconds since 1970. */
export type EndedWebhook = Readonly<{
  seq: number;
  state: Settlement['state'];
  receivedAtMs: number;
  endedAtMs: number;
}>;

/** Is called with the end of each webhook. */
export type WebhookObserver = (webhook: EndedWebhook) => void;

/** Arrivals that are remembered at most. The ends of further webhooks are not measured. */
const ARRIVALS_MAX = 100_000;

/** The spool of a forwarder, with the time from the arrival of each webhook to its end measured. */
export function measuredSpool(spool: Spool, observe: WebhookObserver | undefined): Spool {
  if (observe === undefined) return spool;
  const arrivals = new Map<number, number>();
  return {
    ...spool,
    async next(limit, afterSeq) {
      const webhooks = await spool.next(limit, afterSeq);
      for (const { seq, receivedAtMs } of webhooks) {
        if (arrivals.size < ARRIVALS_MAX) arrivals.set(seq, receivedAtMs);
      }
      return webhooks;
    },
    async settle(seqs, settlement) {
      await spool.settle(seqs, settlement);
      for (const seq of seqs) {
        const receivedAtMs = arrivals.get(seq);
        if (receivedAtMs === undefined) continue;
        arrivals.delete(seq);
        const { state, atMs } = settlement;
        // A clock that was set back must not make a time negative.
        observe({ seq, state, receivedAtMs, endedAtMs: Math.max(receivedAtMs, atMs) });
      }
    },
  };
}
