import { batchWorkflowId } from '../contract/names.ts';
import type { createFundStore } from '../store/funds/claims.ts';
import type { Letter, Settled, Told } from './outbox.ts';

/** A batch is told again only after this time, in milliseconds ... */
export const FUNDS_GAP_MS_MIN = 10_000;
/**
 * ... or after this share of the time for which it has waited, if that is longer. However many webhooks come in, and
 * whoever forged them, a batch that waits for 90 days is told less than 2,000 times, which its history can hold.
 */
const FUNDS_GAP_SHARE = 1 / 200;

/** How long a batch that could not be told is left alone, in milliseconds. */
const PUT_OFF_MS = 1_000;

/** Batches that are told of one piece of news; more do not wait at one time in one store. */
const BATCHES_MAX = 1_000;

export type Claims = Pick<ReturnType<typeof createFundStore>, 'waiting'>;

/** News on its way. `open`: workflows that have not been told; undefined while nobody has looked who waits. */
type News = { readonly seq: number; open: Set<string> | undefined; told: boolean };

type Gap = Readonly<{ startMs: number; lengthMs: number }>;

const NOTHING: Settled = { forwarded: [], ignored: [] };

export type FundsBell = ReturnType<typeof createFundsBell>;

/**
 * Tells batches that wait for money that the account may hold more. At most two pieces of news are kept, however many come
 * in: one that is being told, and one that came after somebody had heard of it. Any other says nothing that these do not
 * say, and is dealt with at once; these two stay in the spool until everybody was told.
 */
export function createFundsBell(claims: Claims) {
  let current: News | undefined;
  let next: number | undefined;
  const gaps = new Map<string, Gap>();
  let askedAtMs: ReadonlyMap<string, number> = new Map();

  const isIn = (workflowId: string, nowMs: number): boolean => {
    const gap = gaps.get(workflowId);
    // A clock that was set back must not prolong a gap.
    return gap !== undefined && nowMs >= gap.startMs && nowMs - gap.startMs < gap.lengthMs;
  };

  /** Takes what was told out of the way, and says that it is dealt with. */
  function finish(): Settled {
    if (current?.open?.size !== 0) return NOTHING;
    const { seq, told } = current;
    current = next === undefined ? undefined : { seq: next, open: undefined, told: false };
    next = undefined;
    return told ? { forwarded: [seq], ignored: [] } : { forwarded: [], ignored: [seq] };
  }

  return {
    /** Takes news; answers whether that webhook is dealt with by this. */
    add(seq: number): Settled {
      if (current === undefined) current = { seq, open: undefined, told: false };
      else if (current.open !== undefined && next === undefined) next = seq;
      else return { forwarded: [seq], ignored: [] };
      return NOTHING;
    },

    /** Looks who waits, when there is news. */
    async look(): Promise<Settled> {
      if (current === undefined || current.open !== undefined) return NOTHING;
      const waiting = await claims.waiting(BATCHES_MAX);
      askedAtMs = new Map(
        waiting.map((batch) => [batchWorkflowId(batch.batchId), batch.askedAtMs]),
      );
      current.open = new Set(askedAtMs.keys());
      for (const workflowId of gaps.keys()) {
        if (!askedAtMs.has(workflowId)) gaps.delete(workflowId);
      }
      return finish();
    },

    /** Who may be told now, at most `limit`. */
    due: (nowMs: number, limit: number): Letter[] =>
      [...(current?.open ?? [])]
        .filter((workflowId) => !isIn(workflowId, nowMs))
        .slice(0, limit)
        .map((workflowId) => ({ workflowId, hint: null })),

    putOff(workflowId: string, nowMs: number): void {
      gaps.set(workflowId, { startMs: nowMs, lengthMs: PUT_OFF_MS });
    },

    conclude(workflowId: string, result: Told, nowMs: number): Settled {
      if (current?.open === undefined) return NOTHING;
      current.open.delete(workflowId);
      current.told ||= result === 'told';
      const waitedMs = nowMs - (askedAtMs.get(workflowId) ?? nowMs);
      const lengthMs = Math.max(FUNDS_GAP_MS_MIN, waitedMs * FUNDS_GAP_SHARE);
      gaps.set(workflowId, { startMs: nowMs, lengthMs });
      return finish();
    },
  };
}
