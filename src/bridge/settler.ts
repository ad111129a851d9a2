import type { SettledState, Spool } from '../store/webhooks/spool.ts';
import type { Clock } from './clock.ts';
import type { Settled } from './outbox.ts';

export type Settler = ReturnType<typeof createSettler>;

/** Remembers which webhooks are dealt with until that stands in the spool. */
export function createSettler(spool: Pick<Spool, 'settle'>, clock: Pick<Clock, 'nowMs'>) {
  const open: Record<SettledState, number[]> = { FORWARDED: [], IGNORED: [] };
  const totals: Record<SettledState, number> = { FORWARDED: 0, IGNORED: 0 };

  return {
    /** Webhooks settled since the start. */
    totals: (): Readonly<Record<SettledState, number>> => totals,

    add({ forwarded, ignored }: Settled): void {
      open.FORWARDED = open.FORWARDED.concat(forwarded);
      open.IGNORED = open.IGNORED.concat(ignored);
    },

    /** Writes it down. What cannot be written is kept for the next time. */
    async settle(): Promise<void> {
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
