import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../database/db.ts';

/** Chunks that one group of statements reads. The event loop turns between two. */
const PAGE_CHUNKS = 1_000;

/** Outcomes of attempts after which the request may have arrived; see `domain/sending/doubt.ts`. */
const OPEN_OUTCOMES = ['PENDING', 'AMBIGUOUS', 'THROTTLED'];

/** States of chunks that may have an open attempt. */
const UNSURE_STATES = ['SENDING', 'NEEDS_OPERATOR'];

/** What the chunks of open batches add up to. */
export type ChunkFigures = Readonly<{
  /** Rows by outcome; PLANNED: nothing of their chunk was sent. */
  rows: ReadonlyMap<string, number>;
  /** Chunks whose create was sent and has no certain end, a request under way among them. */
  inDoubt: number;
  /** When the oldest of these creates was sent; null: there is none. */
  inDoubtSinceMs: number | null;
  /** Chunks that wait for a person. */
  attention: number;
  attentionSinceMs: number | null;
}>;

type Growing = { -readonly [Name in keyof ChunkFigures]: ChunkFigures[Name] } & {
  rows: Map<string, number>;
};

export const noChunks = (): Growing => ({
  rows: new Map(),
  inDoubt: 0,
  inDoubtSinceMs: null,
  attention: 0,
  attentionSinceMs: null,
});

/** Adds the chunks of one batch to the figures. */
export async function readChunkFigures(db: Db, batchId: string, figures: Growing): Promise<void> {
  for (let from = 0; ; from += PAGE_CHUNKS) {
    const page = { batchId, from, to: from + PAGE_CHUNKS };
    const chunks = await readPage(db, page);
    if (chunks.length === 0) return;
    for (const { state, default_outcome: outcome, rows, attention, sinceMs } of chunks) {
      addRows(figures, state === 'PLANNED' ? state : outcome, rows);
      figures.attention += attention;
      figures.attentionSinceMs = earliest(figures.attentionSinceMs, sinceMs);
    }
    await addExceptions(db, page, figures);
    await addDoubts(db, page, figures);
    await setImmediate();
  }
}

type Page = Readonly<{ batchId: string; from: number; to: number }>;

function addRows({ rows }: Growing, outcome: string, count: number): void {
  rows.set(outcome, (rows.get(outcome) ?? 0) + count);
}

const readPage = (db: Db, { batchId, from, to }: Page) =>
  db
    .selectFrom('chunk')
    .select([
      'state',
      'default_outcome',
      sql<number>`sum(row_count)`.as('rows'),
      sql<number>`count(attention_since_ms)`.as('attention'),
      sql<number | null>`min(attention_since_ms)`.as('sinceMs'),
    ])
    .where('batch_id', '=', batchId)
    .where('chunk', '>=', from)
    .where('chunk', '<', to)
    .groupBy(['state', 'default_outcome'])
    .execute();

/** Rows with an outcome of their own do not have the default outcome of their chunk. */
async function addExceptions(db: Db, { batchId, from, to }: Page, figures: Growing): Promise<void> {
  const exceptions = await db
    .selectFrom('row_outcome')
    .innerJoin('chunk', (join) =>
      join
        .onRef('chunk.batch_id', '=', 'row_outcome.batch_id')
        .onRef('chunk.chunk', '=', 'row_outcome.chunk'),
    )
    .select(['row_outcome.outcome', 'chunk.default_outcome', sql<number>`count(*)`.as('count')])
    .where('row_outcome.batch_id', '=', batchId)
    .where('row_outcome.chunk', '>=', from)
    .where('row_outcome.chunk', '<', to)
    .groupBy(['row_outcome.outcome', 'chunk.default_outcome'])
    .execute();
  for (const { outcome, default_outcome: default_, count } of exceptions) {
    addRows(figures, outcome, count);
    addRows(figures, default_, -count);
  }
}

async function addDoubts(db: Db, { batchId, from, to }: Page, figures: Growing): Promise<void> {
  const found = await db
    .selectFrom('chunk')
    .innerJoin('attempt', 'attempt.idempotency_key', 'chunk.idempotency_key')
    .select([
      sql<number>`count(distinct chunk.chunk)`.as('count'),
      sql<number | null>`min(attempt.timestamp_ms)`.as('sinceMs'),
    ])
    .where('chunk.batch_id', '=', batchId)
    .where('chunk.chunk', '>=', from)
    .where('chunk.chunk', '<', to)
    .where('chunk.state', 'in', UNSURE_STATES)
    .where('attempt.outcome', 'in', OPEN_OUTCOMES)
    .executeTakeFirst();
  figures.inDoubt += found?.count ?? 0;
  figures.inDoubtSinceMs = earliest(figures.inDoubtSinceMs, found?.sinceMs ?? null);
}

/** The earlier of two instants; null: there is none. */
export const earliest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);
