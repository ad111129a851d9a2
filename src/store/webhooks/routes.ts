import type { Db } from '../database/db.ts';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { partitionOf } from '../../domain/batch/partitions.ts';

/** The chunk that an id of a webhook stands for, and the partition that drives it. */
export type Route = Readonly<{ id: string; batchId: string; chunk: number; partition: number }>;

type FoundChunk = Readonly<{
  id: string;
  batchId: string;
  chunk: number;
  partitionChunks: number | null;
}>;

/** Ids that one statement looks up; far below the number of values that a statement may hold. */
const STATEMENT_IDS_MAX = 500;

export type Routes = ReturnType<typeof createRoutes>;

/** Finds the chunks of ids: idempotency keys, ids of mass payouts, and external ids. */
export const createRoutes = (db: Db) => ({
  /** The routes of those ids that exist, in no order; an id can lead to several chunks. */
  async find(ids: readonly string[]): Promise<Route[]> {
    const unique = [...new Set(ids)];
    const found: Route[] = [];
    for (let from = 0; from < unique.length; from += STATEMENT_IDS_MAX) {
      const some = await findSome(db, unique.slice(from, from + STATEMENT_IDS_MAX));
      found.push(...some.map(toRoute));
      // A statement holds the process up; between two of them, others get their turn.
      await setImmediate();
    }
    return found;
  },
});

const toRoute = ({ partitionChunks, ...found }: FoundChunk): Route => ({
  ...found,
  partition: partitionOf(found.chunk, partitionChunks),
});

/** The columns of {@link FoundChunk} beside the id. */
const FOUND = [
  'chunk.batch_id as batchId',
  'chunk.chunk',
  'batch.partition_chunks as partitionChunks',
] as const;

const chunks = (db: Db) =>
  db.selectFrom('chunk').leftJoin('batch', 'batch.batch_id', 'chunk.batch_id');

function findSome(db: Db, ids: string[]): Promise<FoundChunk[]> {
  const places = ids.flatMap((id) => placeOf(id) ?? []);
  return chunks(db)
    .select(['idempotency_key as id', ...FOUND])
    .where('idempotency_key', 'in', ids)
    .unionAll(
      chunks(db)
        .select([sql<string>`mass_payout_id`.as('id'), ...FOUND])
        .where('mass_payout_id', 'in', ids),
    )
    .$if(places.length > 0, (query) => query.unionAll(byExternalId(db, places)))
    .execute();
}

type Place = Readonly<{ externalId: string; batchId: string; chunk: number }>;

/** External ids have no index, but they name the place of their chunk; only that place is read. */
const byExternalId = (db: Db, places: readonly Place[]) =>
  db
    .selectFrom(valuesOf(places).as('place'))
    .innerJoin('chunk', (join) =>
      join.onRef('chunk.batch_id', '=', 'place.column1').onRef('chunk.chunk', '=', 'place.column2'),
    )
    .leftJoin('batch', 'batch.batch_id', 'chunk.batch_id')
    .select(['external_id as id', ...FOUND])
    .whereRef('external_id', '=', 'place.column3');

const valuesOf = (places: readonly Place[]) => {
  const rows = places.map(
    (place) => sql`(${place.batchId}, cast(${place.chunk} as bigint), ${place.externalId})`,
  );
  return sql<{ column1: string; column2: number; column3: string }>`(values ${sql.join(rows)})`;
};

/** `<batchId>/<chunk>/<generation>`; see `domain/sending/identity.ts`. */
const EXTERNAL_ID = /^([^/]{1,64})\/(\d{1,9})\/\d{1,9}$/;

function placeOf(id: string): Place | undefined {
  const [, batchId, chunk] = EXTERNAL_ID.exec(id) ?? [];
  if (batchId === undefined || chunk === undefined) return undefined;
  return { externalId: id, batchId, chunk: Number(chunk) };
}
