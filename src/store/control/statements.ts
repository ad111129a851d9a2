import type { Db } from '../database/db.ts';
import type { Approval } from '../../domain/approval/statement.ts';

/** A signed statement, and when a worker took it, in milliseconds since 1970. */
export type GivenApproval = Readonly<{ approval: Approval; atMs: number }>;

/** Every signed statement about a batch, in order. */
export async function listStatements(db: Db, batchId: string): Promise<GivenApproval[]> {
  const rows = await db
    .selectFrom('approval')
    .select(['approval_json', 'at_ms'])
    .where('batch_id', '=', batchId)
    .orderBy('at_ms')
    .orderBy('person')
    .execute();
  return rows.map((row) => ({
    approval: JSON.parse(row.approval_json) as Approval,
    atMs: row.at_ms,
  }));
}

/** The signed statements without the times at which they were stored. */
export const readStatements = async (db: Db, batchId: string): Promise<Approval[]> =>
  (await listStatements(db, batchId)).map(({ approval }) => approval);
