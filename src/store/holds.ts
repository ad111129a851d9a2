import type { Hold, HoldKind, PastHold } from '../domain/holds/hold.ts';
import { appendAudit } from './audit.ts';
import { holdFacts, NAMES } from './audit-facts.ts';
import type { Schema } from './schema.ts';
import type { Db } from './sqlite.ts';

/** A hold that is to be put on. */
export type NewHold = Omit<Hold, 'n' | 'since'>;

/** How a hold ended. */
export type HoldRelease = Readonly<{ by: string; reason: string; atMs: number }>;

/** Why batches create nothing for now. While one is open, no attempt of the batch begins. */
export const createHoldStore = (db: Db) => ({
  /** Puts a hold on; one of the same kind that is open already stays, and is the answer. */
  put: (batchId: string, hold: NewHold, atMs: number): Promise<Hold> =>
    db.transaction().execute((tx) => put(tx, { batchId, hold, atMs })),

  /** The holds that are on, the oldest first. */
  open: (batchId: string): Promise<Hold[]> => openHolds(db, batchId),

  /** Every hold that there was, the oldest first. */
  async all(batchId: string): Promise<PastHold[]> {
    const rows = await db
      .selectFrom('hold')
      .selectAll()
      .where('batch_id', '=', batchId)
      .orderBy('n')
      .execute();
    return rows.map((row) => ({ ...toHold(row), released: releaseOf(row) }));
  },

  /** Holds of a kind that were released, the newest first. */
  released: (batchId: string, kind: HoldKind): Promise<Hold[]> => releasedHolds(db, batchId, kind),

  /** Takes a hold off; answers false when it was off already. */
  release: (batchId: string, n: number, how: HoldRelease): Promise<boolean> =>
    db.transaction().execute((tx) => release(tx, { batchId, n }, how)),
});

export async function releasedHolds(db: Db, batchId: string, kind: HoldKind): Promise<Hold[]> {
  const rows = await db
    .selectFrom('hold')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('kind', '=', kind)
    .where('released_at_ms', 'is not', null)
    .orderBy('n', 'desc')
    .execute();
  return rows.map(toHold);
}

async function release(
  tx: Db,
  { batchId, n }: Readonly<{ batchId: string; n: number }>,
  { atMs, by, reason }: HoldRelease,
): Promise<boolean> {
  const set = { released_at_ms: atMs, released_by: by, release_reason: reason };
  const { numUpdatedRows } = await tx
    .updateTable('hold')
    .set(set)
    .where('batch_id', '=', batchId)
    .where('n', '=', n)
    .where('released_at_ms', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  const facts = { [NAMES.hold(n)]: set };
  const entry = { atMs, batchId, actor: by, action: 'resume', detail: { n, reason }, facts };
  await appendAudit(tx, entry);
  return true;
}

async function put(
  tx: Db,
  { batchId, hold, atMs }: Readonly<{ batchId: string; hold: NewHold; atMs: number }>,
): Promise<Hold> {
  const open = (await openHolds(tx, batchId)).find(({ kind }) => kind === hold.kind);
  if (open !== undefined) return open;
  const { count } = await tx
    .selectFrom('hold')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  const row = {
    batch_id: batchId,
    n: count + 1,
    kind: hold.kind,
    reason: hold.reason,
    held_by: hold.by,
    since_ms: atMs,
    facts_json: JSON.stringify(hold.facts),
    released_at_ms: null,
    released_by: null,
    release_reason: null,
  };
  await tx.insertInto('hold').values(row).execute();
  const { kind, reason, by: actor } = hold;
  const detail = { n: row.n, kind, reason };
  const facts = { [NAMES.hold(row.n)]: holdFacts(row) };
  await appendAudit(tx, { atMs, batchId, actor, action: 'hold', detail, facts });
  return toHold(row);
}

export async function openHolds(db: Db, batchId: string): Promise<Hold[]> {
  const rows = await db
    .selectFrom('hold')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('released_at_ms', 'is', null)
    .orderBy('n')
    .execute();
  return rows.map(toHold);
}

const toHold = (row: Schema['hold']): Hold => ({
  n: row.n,
  kind: row.kind as HoldKind,
  reason: row.reason,
  by: row.held_by,
  since: new Date(row.since_ms).toISOString(),
  facts: JSON.parse(row.facts_json) as Hold['facts'],
});

const releaseOf = (row: Schema['hold']): PastHold['released'] =>
  row.released_at_ms === null
    ? null
    : {
        by: row.released_by ?? '',
        reason: row.release_reason ?? '',
        at: new Date(row.released_at_ms).toISOString(),
      };
