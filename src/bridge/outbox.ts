import type { Hint } from '../contract/messages.ts';
import { aftercareWorkflowId, partitionOf, partitionWorkflowId } from '../contract/names.ts';
import type { Route } from '../store/webhooks/routes.ts';

/**
 * A partition is told again only after this time, with all that came in for it meanwhile.
 * It keeps a flood of webhooks from becoming a flood of signals, and of signed reads.
 */
export const HINT_GAP_MS = 1_000;

/** What became of telling a partition. `gone`: its workflow has ended, or takes no more signals. */
export type Told = 'told' | 'gone';

/** Webhooks that are dealt with, by number. */
export type Settled = Readonly<{ forwarded: readonly number[]; ignored: readonly number[] }>;

/**
 * One signal: to a partition, or (null) to a batch that the account may hold more. `aftercareId`: who is told instead when
 * the partition has ended.
 */
export type Letter = Readonly<{ workflowId: string; aftercareId?: string; hint: Hint | null }>;

/** Where letters wait until they are due. */
export type LetterBox = Readonly<{
  /** What may be told now, at most `limit` letters. */
  due(nowMs: number, limit: number): Letter[];
  /** Leaves a workflow that could not be told alone for a while. */
  putOff(workflowId: string, nowMs: number): void;
  /** Takes out what was due for a workflow, and says which webhooks are thereby dealt with. */
  conclude(workflowId: string, result: Told, nowMs: number): Settled;
}>;

/** A webhook on its way. It is dealt with when every partition that it concerns was told or is gone. */
type Underway = { readonly seq: number; open: number; told: boolean };

type Box = Readonly<{ batchId: string; chunks: Set<number>; webhooks: Set<Underway> }>;

export type Outbox = ReturnType<typeof createOutbox>;

/** Gathers what is to be told to each partition, however many webhooks say it. */
export function createOutbox() {
  const boxes = new Map<string, Box>();
  const gaps = createGaps(HINT_GAP_MS);
  let size = 0;

  const boxFor = ({ batchId, chunk }: Route): Box => {
    const workflowId = partitionWorkflowId(batchId, partitionOf(chunk));
    const box = boxes.get(workflowId) ?? { batchId, chunks: new Set(), webhooks: new Set() };
    boxes.set(workflowId, box);
    return box;
  };

  return {
    /** How many webhooks are on their way. */
    size: (): number => size,

    /** Takes a webhook that names at least one chunk. */
    add(seq: number, routes: readonly Route[]): void {
      const webhook: Underway = { seq, open: 0, told: false };
      for (const route of routes) {
        const box = boxFor(route);
        box.chunks.add(route.chunk);
        if (!box.webhooks.has(webhook)) webhook.open += 1;
        box.webhooks.add(webhook);
      }
      size += 1;
    },

    /** What may be told now, at most `limit` letters. */
    due(nowMs: number, limit: number): Letter[] {
      const letters: Letter[] = [];
      for (const [workflowId, { batchId, chunks }] of boxes) {
        if (letters.length >= limit) break;
        if (gaps.isIn(workflowId, nowMs)) continue;
        const hint = { chunks: [...chunks].sort((a, b) => a - b) };
        letters.push({ workflowId, aftercareId: aftercareWorkflowId(batchId), hint });
      }
      return letters;
    },

    /** Leaves a partition that could not be told alone for a while. */
    putOff: (workflowId: string, nowMs: number): void => gaps.start(workflowId, nowMs),

    /** Takes out what was due for a partition, and says which webhooks are thereby dealt with. */
    conclude(workflowId: string, result: Told, nowMs: number): Settled {
      const forwarded: number[] = [];
      const ignored: number[] = [];
      for (const webhook of boxes.get(workflowId)?.webhooks ?? []) {
        webhook.open -= 1;
        webhook.told ||= result === 'told';
        if (webhook.open === 0) (webhook.told ? forwarded : ignored).push(webhook.seq);
      }
      boxes.delete(workflowId);
      gaps.start(workflowId, nowMs);
      size -= forwarded.length + ignored.length;
      return { forwarded, ignored };
    },
  };
}

/** Times of silence, by name; remembers no more of them than are open. */
function createGaps(gapMs: number) {
  const startedMs = new Map<string, number>();
  const isOver = (startMs: number, nowMs: number): boolean =>
    // A clock that was set back must not prolong a gap.
    nowMs < startMs || nowMs - startMs >= gapMs;
  return {
    start(name: string, nowMs: number): void {
      for (const [other, startMs] of startedMs) {
        if (!isOver(startMs, nowMs)) break;
        startedMs.delete(other);
      }
      // Deleted first, so that the oldest stays in front.
      startedMs.delete(name);
      startedMs.set(name, nowMs);
    },
    isIn(name: string, nowMs: number): boolean {
      const startMs = startedMs.get(name);
      return startMs !== undefined && !isOver(startMs, nowMs);
    },
  };
}
