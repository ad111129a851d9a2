import { sql } from 'kysely';
import { REOPENED_MAX } from '../../domain/lineage/follow.ts';
import {
  type KeptRows,
  keptOf,
  type PruneFacts,
  type PruneTimes,
} from '../../domain/retention/prune-rule.ts';
import { type Finding, withoutRowTexts } from '../../domain/plan/finding.ts';
import type { RecordFacts } from '../../domain/audit/facts.ts';
import { onBatch } from '../audit/audited.ts';
import { findBatch } from '../batches/batches.ts';
import { lineageOf, rootOf } from '../batches/lineage.ts';
import type { BatchRecord } from '../batches/types.ts';
import type { Db, Tx } from '../database/db.ts';
import type { Access } from '../database/decide.ts';
import type { Scopes } from '../engine/scopes.ts';
import { pruneFactsOf } from './prune-facts.ts';
import { digestTexts, measureTexts, removeTexts, type RowTexts } from './row-texts.ts';

/** The prune of a lineage. `by`: the actor of its audit entries, as it is shown. `root`: the id of its first batch. */
export type Prune = Readonly<{ root: string; by: string; times: PruneTimes }>;

/** The file of the first batch of a lineage. */
export type UnprunedFile = Readonly<{ root: string; fileSha256: string }>;

/** Removes the rows of old batches. What proves a payment, and what refuses a second one, stays. */
export const createRetentionStore = ({ db, decide }: Access) => ({
  /** The first batches of lineages that ended before an instant, and that no prune has ended for; the oldest first. */
  rootsBefore: (endedBeforeMs: number): Promise<string[]> => rootsBefore(db, endedBeforeMs),

  /** The first batches of lineages that have a text in their rows, in either case, and that no prune has ended for. */
  rootsWithText: (text: string): Promise<string[]> => rootsWithText(db, text),

  /** The files of the first batches of lineages that no prune has ended for. */
  unprunedFiles: (): Promise<readonly UnprunedFile[]> => unprunedFiles(db),

  /** The facts about each batch of a lineage, the oldest first. */
  facts: (root: string): Promise<readonly PruneFacts[]> => pruneFactsOf(db, root, REOPENED_MAX),

  /** How much text the rows and payloads of a batch have. */
  measure: (batch: BatchRecord): Promise<RowTexts> => measureTexts(db, batch),

  /**
   * Decides that the rows of a lineage are removed, and stores that with the digests of the rows. Returns why they stay;
   * null: they may be removed from now on. A lineage that was decided on before stays as it is.
   */
  begin: async (prune: Prune): Promise<KeptRows | null> => {
    const line = await lineageOf(db, { batchId: prune.root, parentBatchId: null });
    // Nothing changes the texts of an ended batch but a prune, so other writes need not wait for their digests.
    const digests = new Map<string, RecordFacts>();
    for (const batchId of line) {
      const batch = await findBatch(db, batchId);
      if (batch !== undefined) digests.set(batchId, await digestTexts(db, batch));
    }
    return decide(scopesOf(line), (tx) => begin(tx, prune, digests));
  },

  /** Removes rows and payloads of a batch whose prune was begun, a few chunks at a time. Returns whether more is left. */
  removeSome: (batchId: string): Promise<boolean> =>
    decide([{ batch: batchId }], async (tx) => {
      const batch = await findBatch(tx, batchId);
      return batch === undefined || batch.prunedAtMs === null ? false : removeTexts(tx, batch);
    }),

  /** Whether a batch that keeps its rows has the same file. */
  needsCopy: (fileSha256: string): Promise<boolean> => needsCopy(db, fileSha256),

  /** Whether a batch that keeps its rows, or a run of a schedule without a batch, has this file. */
  isFileNamed: (fileSha256: string): Promise<boolean> => isFileNamed(db, fileSha256),

  /** Stores that the files of a pruned batch were removed, too. */
  end: (batchId: string, { by, atMs }: Readonly<{ by: string; atMs: number }>): Promise<void> =>
    decide([{ batch: batchId }], (tx) => end(tx, { batchId, by, atMs })),
});

/** A resend that begins meanwhile is compared, so the write runs alone. */
const scopesOf = (line: readonly string[]): Scopes => {
  const [first = '', ...rest] = line.toSorted();
  return [{ batch: first }, ...rest.map((batch) => ({ batch })), 'store', 'chain'];
};

async function rootsBefore(db: Db, endedBeforeMs: number): Promise<string[]> {
  const rows = await db
    .selectFrom('batch')
    .select('batch_id')
    .where('parent_batch_id', 'is', null)
    .where('ended_at_ms', '<', endedBeforeMs)
    .where('prune_ended_at_ms', 'is', null)
    .orderBy('ended_at_ms')
    .orderBy('batch_id')
    .execute();
  return rows.map(({ batch_id: batchId }) => batchId);
}

async function rootsWithText(db: Db, text: string): Promise<string[]> {
  const pattern = `%${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
  const inRows = db
    .selectFrom('staged_chunk')
    .select('ingest_id')
    .where(hasPattern('rows', pattern));
  const inRefused = db
    .selectFrom('refused_row')
    .select('ingest_id')
    .where(hasPattern('value', pattern));
  const found = await db
    .selectFrom('batch')
    .select('batch_id')
    .where('prune_ended_at_ms', 'is', null)
    .where('ingest_id', 'in', inRows.union(inRefused))
    .execute();
  const roots = new Set<string>();
  for (const { batch_id: batchId } of found) roots.add(await rootOf(db, batchId));
  return [...roots].toSorted();
}

const hasPattern = (column: 'rows' | 'value', pattern: string) =>
  sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`;

async function unprunedFiles(db: Db): Promise<UnprunedFile[]> {
  const rows = await db
    .selectFrom('batch')
    .select(['batch_id', 'file_sha256'])
    .where('parent_batch_id', 'is', null)
    .where('prune_ended_at_ms', 'is', null)
    .orderBy('batch_id')
    .execute();
  return rows.map(({ batch_id: root, file_sha256: fileSha256 }) => ({ root, fileSha256 }));
}

async function begin(
  tx: Tx,
  { root, by: actor, times }: Prune,
  digests: ReadonlyMap<string, RecordFacts>,
): Promise<KeptRows | null> {
  const line = await pruneFactsOf(tx, root, REOPENED_MAX);
  const kept = keptOf(line, times);
  if (kept !== null) return kept;
  for (const { batchId } of line) {
    const digest = digests.get(batchId);
    // A batch that joined the lineage meanwhile is younger than the rule wants, so this is none.
    if (digest === undefined) throw new Error(`batch ${batchId} has no digests`);
    const findings = await findingsWithoutTexts(tx, batchId);
    await onBatch(tx, { batchId, atMs: times.nowMs, actor, action: 'prune' }, async (notes) => {
      const { numUpdatedRows } = await tx
        .updateTable('batch')
        .set({ pruned_at_ms: times.nowMs, findings_json: findings })
        .where('batch_id', '=', batchId)
        .where('pruned_at_ms', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) Object.assign(notes.detail, digest);
    });
  }
  return null;
}

/** Their digest in the plan has no texts of rows. */
async function findingsWithoutTexts(tx: Tx, batchId: string): Promise<string | null> {
  const { findings_json: json } = await tx
    .selectFrom('batch')
    .select('findings_json')
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  return json === null ? null : JSON.stringify(withoutRowTexts(JSON.parse(json) as Finding[]));
}

async function needsCopy(db: Db, fileSha256: string): Promise<boolean> {
  const found = await db
    .selectFrom('batch')
    .select('batch_id')
    .where('file_sha256', '=', fileSha256)
    .where('pruned_at_ms', 'is', null)
    .executeTakeFirst();
  return found !== undefined;
}

/** A run whose batch is here counts as the batch does. */
async function isFileNamed(db: Db, fileSha256: string): Promise<boolean> {
  if (await needsCopy(db, fileSha256)) return true;
  const run = await db
    .selectFrom('schedule_run')
    .select('file_sha256')
    .where('file_sha256', '=', fileSha256)
    .where((here) =>
      here.or([
        here('batch_id', 'is', null),
        here('batch_id', 'not in', here.selectFrom('batch').select('batch_id')),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return run !== undefined;
}

const end = (
  tx: Tx,
  { batchId, by: actor, atMs }: Readonly<{ batchId: string; by: string; atMs: number }>,
): Promise<void> =>
  onBatch(tx, { batchId, atMs, actor, action: 'prune-files' }, async () => {
    await tx
      .updateTable('batch')
      .set({ prune_ended_at_ms: atMs })
      .where('batch_id', '=', batchId)
      .where('pruned_at_ms', 'is not', null)
      .where('prune_ended_at_ms', 'is', null)
      .execute();
  });
