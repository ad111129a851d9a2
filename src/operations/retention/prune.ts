import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isBatchId } from '../../domain/batch/batch-id.ts';
import {
  keptOf,
  mayLoseRows,
  type PruneObstacle,
  type PruneTimes,
} from '../../domain/retention/prune-rule.ts';
import type { Files } from '../../files/index.ts';
import { removeLocalRowFiles, removeRowFiles, sizeOfRowFiles } from '../../report/row-files.ts';
import { verifyBatch } from '../../report/verify/verify-batch.ts';
import type { BatchRecord } from '../../store/batches/types.ts';
import { actorOf, unsignedActorOf } from '../batch/actor.ts';
import type { Sources } from '../batch/types.ts';
import type { OperationContext } from '../context.ts';
import { folderToVerify, reportsOf } from '../report/newest-report.ts';

const DAY_MS = 86_400_000;

/** One old batch, and what a prune removes of it. */
export type PrunedBatch = Readonly<{
  batchId: string;
  endedAt: string | null;
  rows: number;
  refusedRows: number;
  payloads: number;
  /** Sizes in bytes; that of rows and payloads in characters. */
  sizes: Readonly<{ copy: number; rows: number; reports: number }>;
  /** Why its rows stay, and the batch of its lineage that is the reason; null: they may be removed. */
  kept: Readonly<{ obstacle: PruneObstacle; batchId: string }> | null;
  /** Whether they were removed by this command. */
  pruned: boolean;
}>;

/** `isDryRun`: nothing is removed. */
export type PruneWish = Readonly<{ olderThanMs: number; isDryRun: boolean }>;

export type Pruning = Readonly<{ sources: Sources; blobs: Files; context: OperationContext }>;

/**
 * Removes the rows of old batches, or lists what it would remove. A prune that was cut off is continued.
 * Memory does not grow with the rows.
 */
export async function* prune(pruning: Pruning, wish: PruneWish): AsyncGenerator<PrunedBatch> {
  const { retention } = pruning.sources.store;
  const roots = await retention.rootsBefore(pruning.context.clock.nowMs() - wish.olderThanMs);
  yield* pruneLines(pruning, roots, wish);
}

/** Removes the rows of lineages, or lists what it would remove. `roots`: the ids of their first batches. */
export async function* pruneLines(
  pruning: Pruning,
  roots: readonly string[],
  { olderThanMs, isDryRun }: PruneWish,
): AsyncGenerator<PrunedBatch> {
  const { sources, context } = pruning;
  const { retention } = sources.store;
  const followMs = sources.settings.report.followDays * DAY_MS;
  const times: PruneTimes = { nowMs: context.clock.nowMs(), olderThanMs, followMs };
  if (!isDryRun) await removeLeftRows(sources);
  for (const [at, root] of roots.entries()) {
    context.show(`Looking at ${root}, ${at + 1} of ${roots.length}`);
    const line = await sources.store.lineage.line(root);
    const listed = await Promise.all(line.map((batch) => measured(pruning, batch)));
    const kept = isDryRun
      ? keptOf(await retention.facts(root), times)
      : await pruneLine(pruning, { root, line, times });
    context.clear();
    for (const one of listed) yield { ...one, kept, pruned: !isDryRun && kept === null };
  }
}

/** Removes the rows of batches that were pruned on another machine from the reports of this one. */
async function removeLeftRows({ settings, store }: Sources): Promise<void> {
  const { dir } = settings.report;
  for (const batchId of await readdir(dir).catch(noneIfMissing)) {
    const batch = isBatchId(batchId) ? await store.batches.find(batchId) : undefined;
    if ((batch?.prunedAtMs ?? null) !== null) await removeLocalRowFiles(join(dir, batchId));
  }
}

function noneIfMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

async function measured({ sources, blobs }: Pruning, batch: BatchRecord) {
  const { batchId, endedAtMs, summary, fileSha256, parentBatchId } = batch;
  // A resend has no copy of its own.
  const hasCopy = parentBatchId === null && (await blobs.has(fileSha256));
  const { size, ...counts } = await sources.store.retention.measure(batch);
  return {
    batchId,
    endedAt: endedAtMs === null ? null : new Date(endedAtMs).toISOString(),
    ...counts,
    sizes: {
      copy: hasCopy ? (summary?.sizeBytes ?? 0) : 0,
      rows: size,
      reports: await sizeOfRowFiles(reportsOf(sources, blobs), batchId),
    },
  };
}

type Line = Readonly<{ root: string; line: readonly BatchRecord[]; times: PruneTimes }>;

/** Removes the rows of a lineage. Returns why they stay; null: they are removed. */
async function pruneLine(pruning: Pruning, { root, line, times }: Line) {
  const { sources, blobs, context } = pruning;
  const { retention } = sources.store;
  const kept = keptOf(await retention.facts(root), times) ?? (await unprovenOf(pruning, line));
  if (kept !== null) return kept;
  const by = actorOf(sources.settings, context);
  const actor = await unsignedActorOf(sources, { by, batchId: root });
  // The store decides once more: a batch may have changed since.
  const refused = await retention.begin({ root, by: actor, times });
  if (refused !== null) return refused;
  // The store names the removed parts first. A file that is gone without an entry would look like a loss.
  // The first batch is the last one: by it, the next prune finds a lineage that was cut off.
  for (const { batchId, fileSha256 } of line.toReversed()) {
    while (await retention.removeSome(batchId)) context.show(`Removing the rows of ${batchId}`);
    if (!(await retention.needsCopy(fileSha256))) await blobs.remove(fileSha256);
    await removeRowFiles(reportsOf(sources, blobs), batchId);
    await retention.end(batchId, { by: actor, atMs: times.nowMs });
  }
  return null;
}

/** The first batch whose records are not as they were written. Their digests would prove nothing. */
async function unprovenOf({ sources, blobs, context }: Pruning, line: readonly BatchRecord[]) {
  const { store } = sources;
  for (const { batchId } of line) {
    context.show(`Verifying ${batchId}`);
    const { reportDir, fault } = await folderToVerify(reportsOf(sources, blobs), batchId);
    const found = await store.snapshot((moment) =>
      verifyBatch({ store: moment, blobs }, { batchId, reportDir, head: null }),
    );
    const isDamaged = fault?.code === 'REPORT_DAMAGED';
    if (isDamaged || !mayLoseRows(found.problems, found.problemCount)) {
      return { obstacle: 'NOT_PROVEN', batchId } as const;
    }
  }
  return null;
}
