import type { SettledState, Spool } from '../store/webhooks/spool.ts';
import type { BridgeClock } from './clock.ts';
import type { HandledWebhooks } from './signal-queue.ts';

/**
 * Collects the webhooks that the bridge has handled, and acknowledges them in the spool.
 * Until then the spool offers them again, so a crash repeats a signal but loses no webhook.
 */
export function createWebhookAcknowledgements(spool: Spool, clock: BridgeClock) {
  const open: Record<SettledState, number[]> = { FORWARDED: [], IGNORED: [] };
  const totals: Record<SettledState, number> = { FORWARDED: 0, IGNORED: 0 };

  return {
    /** Webhooks acknowledged since the start of the bridge. */
    totals: (): Readonly<Record<SettledState, number>> => totals,

    add({ forwarded, ignored }: HandledWebhooks): void {
      open.FORWARDED = open.FORWARDED.concat(forwarded);
      open.IGNORED = open.IGNORED.concat(ignored);
    },

    /** Writes the acknowledgements. Those that cannot be written stay for the next call. */
    async writeAll(): Promise<void> {
      for (const state of ['FORWARDED', 'IGNORED'] as const) {
        const seqs = open[state];
        if (seqs.length === 0) continue;
        await spool.settle(seqs, { state, atMs: clock.nowMs() });
        totals[state] += seqs.length;
        open[state] = [];
      }
    },
  };
}
