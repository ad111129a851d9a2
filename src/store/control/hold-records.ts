import type { Db } from '../database/db.ts';
import {
  type Hold,
  type HoldKind,
  isAcceptance,
  type LiftBasis,
  type PastHold,
} from '../../domain/holds/hold.ts';
import { ENGINE } from '../audit/audited.ts';
import type { Schema } from '../database/schema.ts';

/** The holds that are on, the oldest first. */
export async function openHolds(db: Db, batchId: string): Promise<Hold[]> {
  const rows = await holdsOf(db, batchId)
    .where('released_at_ms', 'is', null)
    .orderBy('n')
    .execute();
  return rows.map(toHold);
}

/** Every hold that there was, the oldest first. */
export async function allHolds(db: Db, batchId: string): Promise<PastHold[]> {
  const rows = await holdsOf(db, batchId).orderBy('n').execute();
  return rows.map((row) => ({ ...toHold(row), released: releaseOf(row) }));
}

/** Holds of a kind whose lift accepts the named values, the newest first. */
export async function liftedHolds(db: Db, batchId: string, kind: HoldKind): Promise<LiftedHold[]> {
  const rows = await holdsOf(db, batchId)
    .where('kind', '=', kind)
    .where('released_at_ms', 'is not', null)
    .orderBy('n', 'desc')
    .execute();
  return rows.flatMap((row) => {
    const released = releaseOf(row);
    // Lifts of the engine whose ground was not recorded are those of its rules.
    if (released === null || released.by === ENGINE || !isAcceptance(released.basis)) return [];
    return [{ ...toHold(row), released }];
  });
}

export type LiftedHold = Hold & Readonly<{ released: NonNullable<PastHold['released']> }>;

const holdsOf = (db: Db, batchId: string) =>
  db.selectFrom('hold').selectAll().where('batch_id', '=', batchId);

export const toHold = (row: Schema['hold']): Hold => ({
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
        basis: row.release_basis as LiftBasis,
      };
