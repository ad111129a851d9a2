import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../database/db.ts';
import { type ChunkFigures, earliest, noChunks, readChunkFigures } from './chunk-figures.ts';

/** Batches that one statement reads. The event loop turns between two. */
const PAGE_BATCHES = 2_000;

/** Runs of schedules count as missed for so long, in milliseconds. */
const MISSED_MS = 7 * 24 * 60 * 60 * 1_000;

/** Sums over all batches, for metrics. They name no batch. */
export type Figures = ChunkFigures &
  Readonly<{
    /** Batches by their end, or by INGESTING, WAITING and PAYING while they are open. */
    batches: ReadonlyMap<string, number>;
    /** Open batches with a hold. */
    held: number;
    /** Since when the batch waits that waits longest: for people, its time or money, or under a hold. null: none waits. */
    waitingSinceMs: number | null;
    deliveriesWaiting: number;
    deliveryWaitingSinceMs: number | null;
    runsMissed: number;
  }>;

/** Reads the figures in short statements, so that other work of the process goes on meanwhile. */
export const createFigureStore = (db: Db) => ({
  async read(nowMs: number): Promise<Figures> {
    const { batches, paying, waitingSinceMs } = await readBatches(db);
    const holds = await readHolds(db);
    const chunks = noChunks();
    for (const batchId of paying) await readChunkFigures(db, batchId, chunks);
    return {
      ...chunks,
      ...(await readDeliveries(db)),
      batches,
      held: holds.count,
      waitingSinceMs: earliest(earliest(waitingSinceMs, holds.sinceMs), chunks.attentionSinceMs),
      runsMissed: await countMissed(db, nowMs - MISSED_MS),
    };
  },
});

async function readBatches(db: Db) {
  const batches = new Map<string, number>();
  const paying: string[] = [];
  let waitingSinceMs: number | null = null;
  for (let after = ''; ; ) {
    const page = await db
      .selectFrom('batch')
      .select(['batch_id', 'end_state', 'planned_at_ms', 'released_at_ms', 'submitted_at_ms'])
      .where('batch_id', '>', after)
      .orderBy('batch_id')
      .limit(PAGE_BATCHES)
      .execute();
    for (const batch of page) {
      const state = batch.end_state ?? openState(batch);
      batches.set(state, (batches.get(state) ?? 0) + 1);
      if (state === 'PAYING') paying.push(batch.batch_id);
      if (state === 'WAITING') {
        waitingSinceMs = earliest(waitingSinceMs, batch.planned_at_ms ?? batch.submitted_at_ms);
      }
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_BATCHES) break;
    after = last.batch_id;
    await setImmediate();
  }
  return { batches, paying, waitingSinceMs };
}

type OpenBatch = Readonly<{ planned_at_ms: number | null; released_at_ms: number | null }>;

function openState({ planned_at_ms: plannedAtMs, released_at_ms: releasedAtMs }: OpenBatch) {
  if (releasedAtMs !== null) return 'PAYING';
  return plannedAtMs === null ? 'INGESTING' : 'WAITING';
}

async function readHolds(db: Db) {
  const found = await db
    .selectFrom('hold')
    .innerJoin('batch', 'batch.batch_id', 'hold.batch_id')
    .select([
      sql<number>`count(distinct hold.batch_id)`.as('count'),
      sql<number | null>`min(hold.since_ms)`.as('sinceMs'),
    ])
    .where('hold.released_at_ms', 'is', null)
    .where('batch.end_state', 'is', null)
    .executeTakeFirst();
  return { count: found?.count ?? 0, sinceMs: found?.sinceMs ?? null };
}

async function readDeliveries(db: Db) {
  const found = await db
    .selectFrom('delivery')
    .innerJoin('notification', 'notification.id', 'delivery.notification_id')
    .select([
      sql<number>`count(*)`.as('count'),
      sql<number | null>`min(notification.created_at_ms)`.as('sinceMs'),
    ])
    .where('delivery.state', '=', sql.lit('WAITING'))
    .executeTakeFirst();
  return {
    deliveriesWaiting: found?.count ?? 0,
    deliveryWaitingSinceMs: found?.sinceMs ?? null,
  };
}

async function countMissed(db: Db, sinceMs: number): Promise<number> {
  const found = await db
    .selectFrom('schedule_run')
    .select(sql<number>`count(*)`.as('count'))
    .where('state', '=', 'MISSED')
    .where('due_at_ms', '>=', sinceMs)
    .executeTakeFirst();
  return found?.count ?? 0;
}
