import type { Approval } from '../domain/approval/statement.ts';
import { appendAudit } from './audit.ts';
import { approvalFacts, NAMES } from './audit-facts.ts';
import type { Write } from './group-commit.ts';
import type { Db } from './sqlite.ts';

/** An approval or a refusal, and when a worker took it. */
export type GivenApproval = Readonly<{ approval: Approval; atMs: number }>;

/** What approvers said, to the letter of what they signed. Nothing is ever changed or removed. */
export const createApprovalStore = (db: Db, write: Write) => ({
  /**
   * Writes an approval or a refusal down, with its entry in the audit log, in one step. Answers false when it was written
   * down before: then nothing changes.
   */
  add: (approval: Approval, atMs: number): Promise<boolean> =>
    write((tx) => addApproval(tx, approval, atMs)),

  /** Everything that was said about a batch, in order. */
  async list(batchId: string): Promise<GivenApproval[]> {
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
  },
});

async function addApproval(tx: Db, approval: Approval, atMs: number): Promise<boolean> {
  const { batchId, subject, person, decision, reason, issuedAt, expiresAt, signature } = approval;
  const row = {
    ...{ batch_id: batchId, subject, person, decision, at_ms: atMs },
    issued_at: issuedAt,
    approval_json: JSON.stringify(approval),
  };
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('approval')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) return false;
  const detail = { subject, reason, issuedAt, expiresAt, signed: signature !== null };
  const facts = { [NAMES.approval(row)]: approvalFacts(row) };
  await appendAudit(tx, { atMs, batchId, actor: person, action: decision, detail, facts });
  return true;
}
