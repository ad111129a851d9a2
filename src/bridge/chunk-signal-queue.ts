import { aftercareWorkflowId, partitionWorkflowId } from '../contract/names.ts';
import type { Route } from '../store/webhooks/routes.ts';
import type { HandledWebhooks, PendingSignal, SignalQueue, SignalResult } from './signal-queue.ts';

/**
 * Time between two signals to one partition. The second signal carries all chunks of the meantime.
 * 300 webhooks a second for one partition lead to one signal a second, and to few signed reads.
 */
export const HINT_GAP_MS = 1_000;

/** A webhook with pending signals. It is handled when no partition is left in `open`. */
type UnderwayWebhook = { readonly seq: number; open: number; delivered: boolean };

/** The pending signal of one partition. */
type PartitionSignal = Readonly<{
  batchId: string;
  chunks: Set<number>;
  webhooks: Set<UnderwayWebhook>;
}>;

/** The signals that make partitions read chunks. All webhooks of a partition share one signal. */
export function createChunkSignalQueue() {
  const pending = new Map<string, PartitionSignal>();
  const gaps = createGaps(HINT_GAP_MS);
  let size = 0;

  const signalOf = ({ batchId, partition }: Route): PartitionSignal => {
    const workflowId = partitionWorkflowId(batchId, partition);
    const signal = pending.get(workflowId) ?? {
      batchId,
      chunks: new Set(),
      webhooks: new Set(),
    };
    pending.set(workflowId, signal);
    return signal;
  };

  return {
    /** Number of webhooks with pending signals. */
    size: (): number => size,

    /** Adds a webhook that names at least one chunk. */
    add(seq: number, routes: readonly Route[]): void {
      const webhook: UnderwayWebhook = { seq, open: 0, delivered: false };
      for (const route of routes) {
        const signal = signalOf(route);
        signal.chunks.add(route.chunk);
        if (!signal.webhooks.has(webhook)) webhook.open += 1;
        signal.webhooks.add(webhook);
      }
      size += 1;
    },

    due(nowMs: number, limit: number): PendingSignal[] {
      const due: PendingSignal[] = [];
      for (const [workflowId, { batchId, chunks }] of pending) {
        if (due.length >= limit) break;
        if (gaps.isIn(workflowId, nowMs)) continue;
        const hint = { chunks: [...chunks].sort((a, b) => a - b) };
        // A reported batch has no partitions. Its post-report monitoring reads the chunks then.
        due.push({ workflowId, fallbackWorkflowId: aftercareWorkflowId(batchId), hint });
      }
      return due;
    },

    postpone: (workflowId: string, nowMs: number): void => gaps.start(workflowId, nowMs),

    complete(workflowId: string, result: SignalResult, nowMs: number): HandledWebhooks {
      const forwarded: number[] = [];
      const ignored: number[] = [];
      for (const webhook of pending.get(workflowId)?.webhooks ?? []) {
        webhook.open -= 1;
        webhook.delivered ||= result === 'delivered';
        if (webhook.open === 0) (webhook.delivered ? forwarded : ignored).push(webhook.seq);
      }
      pending.delete(workflowId);
      gaps.start(workflowId, nowMs);
      size -= forwarded.length + ignored.length;
      return { forwarded, ignored };
    },
  } satisfies SignalQueue & Record<string, unknown>;
}

/** Gaps in which a workflow gets no signal, by workflow id. It keeps running gaps only. */
function createGaps(gapMs: number) {
  const startedMs = new Map<string, number>();
  const isOver = (startMs: number, nowMs: number): boolean =>
    // A clock that was set back must not prolong a gap.
    nowMs < startMs || nowMs - startMs >= gapMs;
  return {
    start(workflowId: string, nowMs: number): void {
      for (const [other, startMs] of startedMs) {
        if (!isOver(startMs, nowMs)) break;
        startedMs.delete(other);
      }
      // Deleting first moves the entry to the end, so that the map stays ordered by start.
      startedMs.delete(workflowId);
      startedMs.set(workflowId, nowMs);
    },
    isIn(workflowId: string, nowMs: number): boolean {
      const startMs = startedMs.get(workflowId);
      return startMs !== undefined && !isOver(startMs, nowMs);
    },
  };
}
