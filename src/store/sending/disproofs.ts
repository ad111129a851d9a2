import type { Db } from '../database/db.ts';

/** How the service contradicted itself. Names are never changed: they are in stores. */
export type DisproofReason = 'FOUND_AFTER_MISS' | 'TWO_PAYOUTS';

/** A contradiction between answers of the service, and the chunk that they were about. */
export type Disproof = Readonly<{
  batchId: string;
  chunk: number;
  reason: DisproofReason;
  atMs: number;
}>;

/** The first contradiction of an account at a service; undefined: its lookups were never disproven. */
export async function disproofOf(
  db: Db,
  account: string,
  baseUrl: string,
): Promise<Disproof | undefined> {
  const row = await db
    .selectFrom('lookup_disproof')
    .select(['batch_id', 'chunk', 'reason', 'at_ms'])
    .where('account', '=', account)
    .where('base_url', '=', baseUrl)
    .orderBy('at_ms')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { batch_id: batchId, chunk, reason, at_ms: atMs } = row;
  return { batchId, chunk, reason: reason as DisproofReason, atMs };
}
