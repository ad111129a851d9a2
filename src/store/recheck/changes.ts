import type { Db } from '../database/db.ts';
import type { ReportedChange } from '../../domain/lineage/change.ts';

/**
 * A change of a batch after its report. `resent`: rows of it went into a resend, and are not to be sent from here.
 * `returned`: that resend ended before it had a plan, so that they are.
 */
export type RecheckChange = Readonly<{ kind: 'outcomes'; rows: readonly ReportedChange[] }> | Moved;
export type Moved = Readonly<{ kind: 'resent' | 'returned'; batchId: string; rows: number }>;

export type NotedChange = Readonly<{ seq: number; atMs: number; change: RecheckChange }>;

/** The changes of single rows, in order. */
export const rowChangesOf = (noted: readonly NotedChange[]): ReportedChange[] =>
  noted.flatMap(({ change }) => (change.kind === 'outcomes' ? [...change.rows] : []));

/** Reads the changes after the report. `version`: those of that version of the report; null: those that no version has yet. */
export async function readChanges(
  db: Db,
  batchId: string,
  version?: number | null,
): Promise<NotedChange[]> {
  const rows = await db
    .selectFrom('recheck_change')
    .select(['seq', 'at_ms', 'detail_json'])
    .where('batch_id', '=', batchId)
    .$if(version === null, (query) => query.where('version', 'is', null))
    .$if(typeof version === 'number', (query) => query.where('version', '=', version ?? 0))
    .orderBy('seq')
    .execute();
  return rows.map(({ seq, at_ms, detail_json }) => ({
    seq,
    atMs: at_ms,
    change: JSON.parse(detail_json) as RecheckChange,
  }));
}
