import { batchWorkflowId } from '../contract/names.ts';
import type { HandledWebhooks, PendingSignal, SignalResult } from './signal-queue.ts';

/** Shortest time between two signals to one batch, in milliseconds. */
export const FUNDS_GAP_MS_MIN = 10_000;
/**
 * The time between two signals grows to this share of the time for which the batch has waited.
 * A batch that waits for 90 days then gets less than 2,000 signals, for any number of forged
 * webhooks. The history of a workflow can hold that many.
 */
const FUNDS_GAP_SHARE = 1 / 200;

/** Delay of a signal after a failed call, in milliseconds. */
const POSTPONE_MS = 1_000;

/** Batches that one event signals. One store never holds more waiting batches. */
const BATCHES_MAX = 1_000;

/** The store of claims, as far as this queue reads it. */
export type WaitingClaims = Readonly<{
  /** Returns at most `limit` batches that wait for money. */
  waiting(limit: number): Promise<readonly Readonly<{ batchId: string; askedAtMs: number }>[]>;
}>;

/**
 * A webhook that reports money.
 * `open`: workflows without their signal; undefined until the store was read.
 */
type FundingWebhook = {
  readonly seq: number;
  open: Set<string> | undefined;
  delivered: boolean;
};

type Gap = Readonly<{ startMs: number; lengthMs: number }>;

const NO_WEBHOOKS: HandledWebhooks = { forwarded: [], ignored: [] };

/**
 * The signals that make waiting batches read the balance again.
 * At most two webhooks wait here and in the spool, however many arrive. `current` is being sent.
 * `next` arrived after the first signals of `current` left, so those batches need another one.
 * The queue completes every other webhook at once, because these two cover it.
 */
export function createFundsSignalQueue(claims: WaitingClaims) {
  let current: FundingWebhook | undefined;
  let nextSeq: number | undefined;
  const gaps = new Map<string, Gap>();
  let askedAtMs: ReadonlyMap<string, number> = new Map();

  const isInGap = (workflowId: string, nowMs: number): boolean => {
    const gap = gaps.get(workflowId);
    // A clock that was set back must not prolong a gap.
    return gap !== undefined && nowMs >= gap.startMs && nowMs - gap.startMs < gap.lengthMs;
  };

  /** Returns the current webhook when all its signals are sent, and makes the next one current. */
  function finishCurrent(): HandledWebhooks {
    if (current?.open?.size !== 0) return NO_WEBHOOKS;
    const { seq, delivered } = current;
    current = nextSeq === undefined ? undefined : newWebhook(nextSeq);
    nextSeq = undefined;
    return delivered ? { forwarded: [seq], ignored: [] } : { forwarded: [], ignored: [seq] };
  }

  return {
    /** Adds a webhook. Returns it as handled when the two pending ones cover it. */
    add(seq: number): HandledWebhooks {
      if (current === undefined) current = newWebhook(seq);
      else if (current.open !== undefined && nextSeq === undefined) nextSeq = seq;
      else return { forwarded: [seq], ignored: [] };
      return NO_WEBHOOKS;
    },

    /** Reads the batches that wait for money, once for each current webhook. */
    async readWaitingBatches(): Promise<HandledWebhooks> {
      if (current === undefined || current.open !== undefined) return NO_WEBHOOKS;
      const waiting = await claims.waiting(BATCHES_MAX);
      askedAtMs = new Map(
        waiting.map((batch) => [batchWorkflowId(batch.batchId), batch.askedAtMs]),
      );
      current.open = new Set(askedAtMs.keys());
      for (const workflowId of gaps.keys()) {
        if (!askedAtMs.has(workflowId)) gaps.delete(workflowId);
      }
      return finishCurrent();
    },

    due: (nowMs: number, limit: number): PendingSignal[] =>
      [...(current?.open ?? [])]
        .filter((workflowId) => !isInGap(workflowId, nowMs))
        .slice(0, limit)
        .map((workflowId) => ({ workflowId, hint: null })),

    postpone(workflowId: string, nowMs: number): void {
      gaps.set(workflowId, { startMs: nowMs, lengthMs: POSTPONE_MS });
    },

    complete(workflowId: string, result: SignalResult, nowMs: number): HandledWebhooks {
      if (current?.open === undefined) return NO_WEBHOOKS;
      current.open.delete(workflowId);
      current.delivered ||= result === 'delivered';
      const waitedMs = nowMs - (askedAtMs.get(workflowId) ?? nowMs);
      const lengthMs = Math.max(FUNDS_GAP_MS_MIN, waitedMs * FUNDS_GAP_SHARE);
      gaps.set(workflowId, { startMs: nowMs, lengthMs });
      return finishCurrent();
    },
  };
}

const newWebhook = (seq: number): FundingWebhook => ({ seq, open: undefined, delivered: false });
